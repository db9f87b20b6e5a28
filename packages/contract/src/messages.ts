import { z } from 'zod'

export const MessageAudience = z.enum(['operation', 'group', 'person'])
export type MessageAudience = z.infer<typeof MessageAudience>
export const MessageState = z.enum(['scheduled', 'sent', 'cancelled', 'failed'])
export type MessageState = z.infer<typeof MessageState>
/** How its mail fares; `none` where there is no address to write to, `portal` where it is read in the portal alone. */
export const RecipientState = z.enum(['queued', 'delivered', 'failed', 'portal', 'none'])
export type RecipientState = z.infer<typeof RecipientState>
