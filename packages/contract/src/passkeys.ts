import { z } from 'zod'
import { SignedIn } from './auth.ts'
import { defineEndpoint } from './endpoint.ts'
import { Base64Url, Id, Instant, SuccessReply, Text, Version } from './primitives.ts'
import { Assertion } from './reauthentication.ts'

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
  version: z.int(),
})
export type Passkey = z.infer<typeof Passkey>

/** What the browser hands to an authenticator, named as the standard names it (W3C WebAuthn). */
const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
})
const CreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.boolean(),
    userVerification: z.literal('required'),
  }),
})
const RequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
})

export const NewCredential = z.object({
  id: Base64Url,
  rawId: Base64Url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: z.array(z.string().max(30)).max(10).optional(),
  }),
})
export const PasskeyName = Text.max(60)
const Password = z.string().min(1).max(1024)
const params = z.object({ id: Id })

export const passkeys = {
  challenge: defineEndpoint({
    method: 'POST',
    path: '/api/auth/passkeys/challenge',
    access: 'public',
    summary: 'Préparer une connexion par clé d’accès',
    response: RequestOptions,
    audit: 'none',
  }),
  signIn: defineEndpoint({
    method: 'POST',
    path: '/api/auth/passkeys/sign-in',
    access: 'public',
    summary: 'Se connecter avec une clé d’accès',
    body: z.strictObject({ credential: Assertion }),
    response: SignedIn,
    audit: 'own',
  }),
  list: defineEndpoint({
    method: 'GET',
    path: '/api/auth/passkeys',
    access: 'signed-in',
    reaches: 'sign-in',
    summary: 'Lister ses clés d’accès',
    response: z.object({ items: z.array(Passkey) }),
  }),
  prepare: defineEndpoint({
    method: 'POST',
    path: '/api/auth/passkeys/options',
    access: 'signed-in',
    reaches: 'sign-in',
    summary: 'Préparer une clé d’accès',
    anyway: true,
    body: z.strictObject({ password: Password }),
    response: CreationOptions,
    audit: 'none',
  }),
  add: defineEndpoint({
    method: 'POST',
    path: '/api/auth/passkeys',
    access: 'signed-in',
    reaches: 'sign-in',
    summary: 'Ajouter une clé d’accès',
    anyway: true,
    body: z.strictObject({ name: PasskeyName, credential: NewCredential }),
    /** Recovery codes come with the first second factor, and are shown once. */
    response: z.object({ passkey: Passkey, recoveryCodes: z.array(z.string()).nullable() }),
  }),
  rename: defineEndpoint({
    method: 'PATCH',
    path: '/api/auth/passkeys/:id',
    access: 'signed-in',
    reaches: 'sign-in',
    summary: 'Renommer une clé d’accès',
    params,
    body: z.strictObject({ name: PasskeyName, version: Version }),
    response: Passkey,
  }),
  remove: defineEndpoint({
    method: 'POST',
    path: '/api/auth/passkeys/:id/remove',
    access: 'signed-in',
    reaches: 'sign-in',
    summary: 'Retirer une clé d’accès',
    params,
    body: z.strictObject({ password: Password }),
    response: SuccessReply,
  }),
}
