import { z } from 'zod'
import { Text } from './primitives.ts'
import { Assertion } from './reauthentication.ts'

export const Invitee = z.object({
  email: z.string(),
  companyName: z.string(),
  role: z.enum(['admin', 'client']),
  roleName: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  hasAccount: z.boolean(),
})
/** A new account takes these names and this password; an address that has an account proves it with its own password and code. */
export const AcceptInvitation = z.strictObject({
  firstName: Text,
  lastName: Text,
  password: z.string().min(1).max(1024),
  code: z.string().trim().max(20).optional(),
  passkey: Assertion.optional(),
})
