export const STEPS = [5, 10, 15, 30, 60] as const
/** How long a measure lasts, in minutes. */
export type Step = (typeof STEPS)[number]
