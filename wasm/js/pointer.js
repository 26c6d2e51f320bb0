// JSON Pointers with names of the caller.

/** Masks every run of twelve or more digits, with single spaces or hyphens between them. */
const masked = (name) =>
  name.replace(/\d(?:[ -]?\d){11,}/g, (run) => {
    const count = run.replace(/\D/g, "").length;
    let index = 0;
    return run.replace(/\d/g, (digit) => (count < 20 && (++index < 7 || index > count - 4) ? digit : "*"));
  });

/** Extends a path by a name of the caller, in which card numbers are masked. */
export const below = (path, name) => `${path}/${masked(name).replace(/~/g, "~0").replace(/\//g, "~1")}`;
