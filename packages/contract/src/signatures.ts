import { z } from 'zod'
import { Instant, Text } from './primitives.ts'

/** A signature on screen: the name of whoever signs, typed by hand, and the hash of the text that was shown. Another text is not what was signed. */
export const Signature = z.strictObject({ name: Text, hash: z.string().regex(/^[0-9a-f]{64}$/) })

/** What proves a signature on screen. */
export const Proof = z.object({
  at: Instant,
  name: z.string(),
  ip: z.string(),
  userAgent: z.string(),
  text: z.string(),
  hash: z.string(),
  /** Who of the office was there, where it was not signed in one's own portal. */
  witness: z.string().optional(),
})
export type Proof = z.infer<typeof Proof>
