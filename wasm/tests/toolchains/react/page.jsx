import { useState } from "react";
import { createRoot } from "react-dom/client";

import { CardNumber } from "./card-number.jsx";

/** Shows the state beside the field. */
function Form() {
  const [number, setNumber] = useState("");
  return (
    <form>
      <CardNumber value={number} onChange={setNumber} />
      <output>{number}</output>
    </form>
  );
}

createRoot(document.body.appendChild(document.createElement("main"))).render(<Form />);
