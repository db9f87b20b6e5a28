import type { z } from 'zod'

/** A row of the table of events, in French wording. `webhook`: other systems may subscribe to it. */
type EventRow<S extends z.ZodType, W extends boolean> = {
  label: string
  data: S
  sample: z.input<S>
  webhook: W
  /** No longer recorded, but stored by earlier versions: a subscriber that has not reached it yet still receives it. */
  retired?: true
}

/** An event used only within Voisol. */
export const defineEvent = <S extends z.ZodType>(row: Omit<EventRow<S, false>, 'webhook'>): EventRow<S, false> => ({
  ...row,
  webhook: false,
})

/** An event that webhooks offer too. */
export const defineOpenEvent = <S extends z.ZodType>(row: Omit<EventRow<S, true>, 'webhook'>): EventRow<S, true> => ({
  ...row,
  webhook: true,
})

/** An event that is recorded under another name today. */
export const defineRetiredEvent = <S extends z.ZodType>(
  row: Omit<EventRow<S, false>, 'webhook'>,
): EventRow<S, false> => ({
  ...row,
  webhook: false,
  retired: true,
})
