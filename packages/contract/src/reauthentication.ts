import { z } from 'zod'
import { Assertion } from './assertion.ts'

/**
 * What a sensitive call carries so that a stolen session is not enough: the password, or a passkey that signed a challenge of
 * `POST /api/auth/passkeys/challenge`. Neither is needed by a session that a company's identity provider opened a moment ago.
 */
export const Reauthentication = {
  password: z.string().min(1).max(1024).optional(),
  passkey: Assertion.optional(),
}
export const ReauthenticationProof = z.strictObject(Reauthentication)
export type ReauthenticationProof = z.output<typeof ReauthenticationProof>
