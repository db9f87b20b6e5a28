/** Compares code units, not by locale: PRM, names and days sort the same on every machine. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
