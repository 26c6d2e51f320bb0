import { use } from "../use.js";
import { Client } from "./client.jsx";

/** Shows the result of all entries on the server. */
export default async function Page() {
  return (
    <main>
      <pre>{JSON.stringify(await use())}</pre>
      <Client />
    </main>
  );
}
