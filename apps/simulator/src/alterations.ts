/** Faults in the figures. */
export const MONTH_ALTERATIONS = ['swapped-members', 'shifted-day', 'one-percent'] as const
export type MonthAlteration = (typeof MONTH_ALTERATIONS)[number]

/** Faults in the format of the answer: well formed, but not what was asked for. */
export const ANSWER_ALTERATIONS = [
  ...(['dropped-class', 'tripled', 'negative', 'other-point', 'other-year', 'empty-value', 'empty'] as const),
  ...(['kilo', 'wrong-step', 'off-step', 'descending'] as const),
] as const

export const DEFORMATIONS = ['late', 'partial', 'duplicate', 'mixed-steps'] as const
export type Deformation = (typeof DEFORMATIONS)[number]
