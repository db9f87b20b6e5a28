import { z } from 'zod'
import { Base64Url } from './primitives.ts'

/** The answer of a passkey to a challenge. */
export const Assertion = z.object({
  id: Base64Url,
  rawId: Base64Url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Base64Url.optional(),
  }),
})

/**
 * What a sensitive call carries so that a stolen session is not enough: the password, or a passkey that signed a challenge of
 * `POST /api/auth/passkeys/challenge`. Neither is needed by a session that a company's identity provider opened a moment ago.
 */
const Reauthentication = {
  password: z.string().min(1).max(1024).optional(),
  passkey: Assertion.optional(),
}
export const ReauthenticationProof = z.strictObject(Reauthentication)
export type ReauthenticationProof = z.output<typeof ReauthenticationProof>
