// Amounts for people. They stay strings: a float would lose digits.

/** `1500.00` → `1,500.00`. Returns other texts unchanged. */
export function shown(amount: string): string {
  const [, whole, fraction = ""] = /^(\d+)(\.\d+)?$/.exec(amount) ?? [];
  return whole === undefined ? amount : whole.replace(/\B(?=(\d{3})+$)/g, ",") + fraction;
}

export const money = (amount: string, currency: string): string => `${shown(amount)} ${currency}`;
