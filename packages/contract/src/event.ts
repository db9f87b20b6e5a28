import type { z } from 'zod'

/** A row of the table of events: what happened, in the words of the product. `webhook`: other systems may ask for it. */
export type EventRow<S extends z.ZodType, W extends boolean> = {
  label: string
  data: S
  sample: z.input<S>
  webhook: W
  /** Told by earlier versions only: whoever keeps a place before one of them still hears it. */
  retired?: true
}

/** A fact that is told inside Voisol alone. */
export const defineEvent = <S extends z.ZodType>(row: Omit<EventRow<S, false>, 'webhook'>): EventRow<S, false> => ({
  ...row,
  webhook: false,
})

/** A fact that webhooks offer too. */
export const defineOpenEvent = <S extends z.ZodType>(row: Omit<EventRow<S, true>, 'webhook'>): EventRow<S, true> => ({
  ...row,
  webhook: true,
})

/** A fact that is told under another name today. */
export const defineRetiredEvent = <S extends z.ZodType>(
  row: Omit<EventRow<S, false>, 'webhook'>,
): EventRow<S, false> => ({
  ...row,
  webhook: false,
  retired: true,
})
