import { z } from 'zod'
import { SignedIn } from './auth.ts'
import { defineEndpoint } from './endpoint.ts'
import { Day, Email, Id, Instant, OptionalText, SuccessReply, Text, Version } from './primitives.ts'
import { RoleRef } from './roles.ts'

export const SsoKind = z.enum(['oidc', 'saml'])
export type SsoKind = z.infer<typeof SsoKind>

/** As it stands behind the @ of an address. */
const DomainName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(?=.*\.)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/,
    'Domaine attendu, par exemple exemple.fr.',
  )

const SsoDomain = z.object({
  domain: z.string(),
  /** What a TXT record of the domain must hold. */
  record: z.string(),
  provedAt: Instant.nullable(),
  /** When the record was last looked for, each night. */
  checkedAt: Instant.nullable(),
  /** Since when it is no longer there, and until when the domain is still believed. */
  lapsedAt: Instant.nullable(),
  believedUntil: Instant.nullable(),
})
export const SsoCertificate = z.object({ subject: z.string(), expiresOn: Day, fingerprint: z.string() })
const Mapping = z.strictObject({ group: Text, role: RoleRef })

export const SsoConnection = z.object({
  id: Id,
  name: z.string(),
  kind: SsoKind,
  domains: z.array(SsoDomain),
  issuer: z.string(),
  clientId: z.string(),
  hasSecret: z.boolean(),
  secretExpiresOn: Day.nullable(),
  entityId: z.string(),
  ssoUrl: z.string(),
  certificates: z.array(SsoCertificate),
  /** As they were given, to be changed. */
  certificateText: z.string(),
  responseSigned: z.boolean(),
  signsRequests: z.boolean(),
  groupClaim: z.string(),
  roles: z.array(z.object({ group: z.string(), role: RoleRef })),
  defaultRole: RoleRef.nullable(),
  testedAt: Instant.nullable(),
  activatedAt: Instant.nullable(),
  enforcedAt: Instant.nullable(),
  breakGlass: z.object({ id: Id, name: z.string(), email: z.string() }).nullable(),
  scim: z.object({ madeAt: Instant, usedAt: Instant.nullable() }).nullable(),
  people: z.int(),
  /** What is copied to the provider. */
  given: z.object({
    redirectUri: z.string(),
    entityId: z.string(),
    acsUrl: z.string(),
    metadataUrl: z.string(),
    scimUrl: z.string(),
  }),
  version: z.int(),
})
export type SsoConnection = z.infer<typeof SsoConnection>

const address = z.string().trim().max(500)
export const SsoSettings = z.strictObject({
  name: Text.max(60),
  issuer: address.default(''),
  clientId: OptionalText.default(''),
  /** Kept as it is where none is given. */
  clientSecret: z.string().trim().max(500).optional(),
  secretExpiresOn: Day.nullable().default(null),
  entityId: address.default(''),
  ssoUrl: address.default(''),
  /** One after the other, as PEM. */
  certificates: z.string().max(40_000).default(''),
  responseSigned: z.boolean().default(false),
  signsRequests: z.boolean().default(false),
  groupClaim: Text.default('groups'),
  roles: z.array(Mapping).max(50).default([]),
  defaultRole: RoleRef.nullable().default(null),
  version: Version,
})

/** What a provider said of somebody, and what would come of it. */
export const SsoTestResult = z.object({
  state: z.enum(['waiting', 'accepted', 'refused']),
  /** What was wrong, and what to do about it. */
  reason: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  groups: z.array(z.string()),
  roleName: z.string(),
  claims: z.array(z.object({ name: z.string(), value: z.string() })),
})
export type SsoTestResult = z.infer<typeof SsoTestResult>

export const SsoLogEntry = z.object({
  id: z.string(),
  at: Instant,
  who: z.string(),
  connection: z.string(),
  outcome: z.enum(['done', 'refused']),
  reason: z.string(),
  ip: z.string(),
})
export type SsoLogEntry = z.infer<typeof SsoLogEntry>

/** The metadata of a provider, by its address or as the document itself. */
const SsoMetadata = z
  .strictObject({ url: address.default(''), xml: z.string().max(1_000_000).default('') })
  .refine(({ url, xml }) => (url === '') !== (xml.trim() === ''), {
    path: ['url'],
    error: 'Donnez l’adresse des métadonnées, ou collez le document.',
  })

const idParams = z.object({ id: Id })
const DomainParams = z.strictObject({ domain: DomainName })
const writeAccess = { permission: 'sso.write' } as const

export const sso = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/sso/connections',
    access: { permission: 'sso.read' },
    summary: 'Lister les connexions d’entreprise',
    response: z.object({ items: z.array(SsoConnection) }),
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/sso/connections',
    access: writeAccess,
    summary: 'Ajouter une connexion d’entreprise',
    body: z.strictObject({ name: Text.max(60), kind: SsoKind }),
    response: SsoConnection,
  }),
  update: defineEndpoint({
    method: 'PATCH',
    path: '/api/sso/connections/:id',
    access: writeAccess,
    summary: 'Régler une connexion d’entreprise',
    params: idParams,
    body: SsoSettings,
    response: SsoConnection,
  }),
  metadata: defineEndpoint({
    method: 'POST',
    path: '/api/sso/metadata',
    access: writeAccess,
    summary: 'Lire les métadonnées d’un fournisseur SAML',
    body: SsoMetadata,
    /** As the settings take it; nothing is kept. */
    response: z.object({ entityId: z.string(), ssoUrl: z.string(), certificates: z.string() }),
    audit: 'none',
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/sso/connections/:id',
    access: writeAccess,
    summary: 'Supprimer une connexion d’entreprise',
    params: idParams,
    response: SuccessReply,
  }),
  addDomain: defineEndpoint({
    method: 'POST',
    path: '/api/sso/connections/:id/domains',
    access: writeAccess,
    summary: 'Ajouter un domaine à une connexion d’entreprise',
    params: idParams,
    body: DomainParams,
    response: SsoConnection,
  }),
  proveDomain: defineEndpoint({
    method: 'POST',
    path: '/api/sso/connections/:id/domains/prove',
    access: writeAccess,
    summary: 'Prouver un domaine par son enregistrement DNS',
    params: idParams,
    body: DomainParams,
    response: SsoConnection,
  }),
  removeDomain: defineEndpoint({
    method: 'POST',
    path: '/api/sso/connections/:id/domains/remove',
    access: writeAccess,
    summary: 'Retirer un domaine d’une connexion d’entreprise',
    params: idParams,
    body: DomainParams,
    response: SsoConnection,
  }),
  test: defineEndpoint({
    method: 'POST',
    path: '/api/sso/connections/:id/test',
    access: writeAccess,
    summary: 'Essayer une connexion d’entreprise',
    params: idParams,
    response: z.object({ url: z.string() }),
  }),
  trial: defineEndpoint({
    method: 'GET',
    path: '/api/sso/trials/:id',
    access: { permission: 'sso.read' },
    summary: 'Lire ce qu’un essai de connexion a reçu',
    params: idParams,
    response: SsoTestResult,
  }),
  switch: defineEndpoint({
    method: 'POST',
    path: '/api/sso/connections/:id/switch',
    access: writeAccess,
    summary: 'Ouvrir ou fermer une connexion d’entreprise',
    params: idParams,
    body: z.strictObject({ on: z.boolean() }),
    response: SsoConnection,
  }),
  enforce: defineEndpoint({
    method: 'POST',
    path: '/api/sso/connections/:id/enforce',
    access: writeAccess,
    summary: 'Changer l’obligation d’une connexion d’entreprise',
    params: idParams,
    body: z.strictObject({
      on: z.boolean(),
      /** The administrator whose password opens the company all the same. */
      breakGlassId: Id.nullable().default(null),
    }),
    response: SsoConnection,
  }),
  scimToken: defineEndpoint({
    method: 'POST',
    path: '/api/sso/connections/:id/scim-token',
    access: writeAccess,
    summary: 'Créer ou renouveler le jeton de l’annuaire (SCIM)',
    params: idParams,
    /** It is in this answer only; the one before stops at once. */
    response: z.object({ token: z.string() }),
  }),
  removeScimToken: defineEndpoint({
    method: 'DELETE',
    path: '/api/sso/connections/:id/scim-token',
    access: writeAccess,
    summary: 'Retirer le jeton de l’annuaire (SCIM)',
    params: idParams,
    response: SuccessReply,
  }),
  journal: defineEndpoint({
    method: 'GET',
    path: '/api/sso/journal',
    access: { permission: 'sso.read' },
    summary: 'Lire les dernières connexions d’entreprise',
    response: z.object({ items: z.array(SsoLogEntry) }),
  }),
  start: defineEndpoint({
    method: 'POST',
    path: '/api/auth/sso/start',
    access: 'public',
    summary: 'Commencer une connexion d’entreprise',
    body: z.strictObject({ email: Email }),
    response: z.object({ url: z.string() }),
    audit: 'own',
  }),
  finish: defineEndpoint({
    method: 'POST',
    path: '/api/auth/sso/finish',
    access: 'public',
    summary: 'Entrer par une connexion d’entreprise',
    body: z.strictObject({ ticket: z.string().min(20).max(100) }),
    response: SignedIn,
    audit: 'own',
  }),
}
