// What the package uses of the glue of a module. The rest is omitted from the package.

export { Engine, initSync, __wbg_reset_state } from "#glue";
