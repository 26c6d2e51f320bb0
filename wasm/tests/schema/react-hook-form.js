import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { Engine } from "payspec/checkout";
import { messages } from "payspec/messages/en";

const engine = new Engine({}, { messages });

// In a component: const form = useForm({ resolver });
export const resolver = standardSchemaResolver(engine.requestSchema);
