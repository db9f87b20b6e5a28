import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, createdAt, day, instant, version } from './columns.ts'
import { companies } from './companies.ts'
import { ownerColumns } from './owned.ts'
import { users } from './users.ts'

/** Whom a company lets its people be known by: an OpenID provider or a SAML identity provider. */
export const ssoConnections = pgTable(
  'sso_connections',
  {
    ...ownerColumns(),
    name: text('name').notNull(),
    kind: text('kind').notNull(),
    /** OpenID: who signs, and as whom this server calls. */
    issuer: text('issuer').notNull().default(''),
    clientId: text('client_id').notNull().default(''),
    /** Sealed. */
    clientSecret: text('client_secret'),
    secretExpiresOn: day('secret_expires_on'),
    /** OpenID: what is set now has once sent `email_verified`, so that an answer without it verifies nothing. */
    sendsEmailVerified: boolean('sends_email_verified').notNull().default(false),
    /** SAML: who signs, where people are sent, and what the signature is held against. */
    entityId: text('entity_id').notNull().default(''),
    ssoUrl: text('sso_url').notNull().default(''),
    certificates: text('certificates').array().notNull().default([]),
    /** The whole response is signed too, beside the assertion. */
    responseSigned: boolean('response_signed').notNull().default(false),
    /** What this server signs its requests with: the key sealed, the certificate for the provider. */
    signingKey: text('signing_key'),
    signingCertificate: text('signing_certificate'),
    /** The claim or attribute that names the groups, and what role each of them gives. */
    groupClaim: text('group_claim').notNull().default('groups'),
    roles: jsonb('roles').notNull().default([]),
    /** For whoever is in none of them; null refuses them. */
    defaultRole: text('default_role'),
    /** When what is set now was tried with success. */
    testedAt: instant('tested_at'),
    activatedAt: instant('activated_at'),
    enforcedAt: instant('enforced_at'),
    breakGlassId: uuid('break_glass_id').references(() => users.id),
    scimHash: bytes('scim_hash'),
    scimMadeAt: instant('scim_made_at'),
    scimUsedAt: instant('scim_used_at'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    uniqueIndex('sso_connections_scim').on(t.companyId, t.scimHash).where(sql`${t.scimHash} is not null`),
    check('sso_connections_kind', sql`${t.kind} in ('oidc', 'saml')`),
    check('sso_connections_enforced', sql`${t.enforcedAt} is null or ${t.breakGlassId} is not null`),
  ],
)

/** The domains of addresses that a connection answers for. Several may ask for one; it is of the first who proves it. */
export const ssoDomains = pgTable(
  'sso_domains',
  {
    companyId: integer('company_id')
      .notNull()
      .references(() => companies.id),
    domain: text('domain').notNull(),
    connectionId: uuid('connection_id').notNull(),
    /** What the TXT record must hold; it opens nothing. */
    token: text('token').notNull(),
    provedAt: instant('proved_at'),
    /** When the record was last looked for with an answer; since when it is not there any more. */
    checkedAt: instant('checked_at'),
    lapsedAt: instant('lapsed_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.domain] }),
    foreignKey({
      columns: [t.companyId, t.connectionId],
      foreignColumns: [ssoConnections.companyId, ssoConnections.id],
    }).onDelete('cascade'),
    uniqueIndex('sso_domains_proved').on(t.domain).where(sql`${t.provedAt} is not null`),
  ],
)

/** Who is who: the person that a provider names, and the account here. */
export const ssoPeople = pgTable(
  'sso_people',
  {
    companyId: integer('company_id')
      .notNull()
      .references(() => companies.id),
    connectionId: uuid('connection_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** As the provider names them at a sign-in; null until the first. */
    subject: text('subject'),
    /** As the directory names them (SCIM). */
    externalId: text('external_id'),
    createdAt: createdAt(),
    changedAt: instant('changed_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.connectionId, t.userId] }),
    foreignKey({
      columns: [t.companyId, t.connectionId],
      foreignColumns: [ssoConnections.companyId, ssoConnections.id],
    }).onDelete('cascade'),
    uniqueIndex('sso_people_subject').on(t.companyId, t.connectionId, t.subject).where(sql`${t.subject} is not null`),
  ],
)

/** A group as a directory tells of it (SCIM): what it is called is what the rules of the connection name. */
export const ssoGroups = pgTable(
  'sso_groups',
  {
    ...ownerColumns(),
    connectionId: uuid('connection_id').notNull(),
    displayName: text('display_name').notNull(),
    externalId: text('external_id'),
    createdAt: createdAt(),
    changedAt: instant('changed_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.connectionId],
      foreignColumns: [ssoConnections.companyId, ssoConnections.id],
    }).onDelete('cascade'),
    uniqueIndex('sso_groups_name').on(t.companyId, t.connectionId, sql`lower(${t.displayName})`),
  ],
)

export const ssoGroupMembers = pgTable(
  'sso_group_members',
  {
    companyId: integer('company_id')
      .notNull()
      .references(() => companies.id),
    groupId: uuid('group_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.groupId, t.userId] }),
    foreignKey({ columns: [t.companyId, t.groupId], foreignColumns: [ssoGroups.companyId, ssoGroups.id] }).onDelete(
      'cascade',
    ),
    index('sso_group_members_user').on(t.companyId, t.userId),
  ],
)

/** One way to the provider and back, for one browser. It serves once. */
export const ssoAttempts = pgTable(
  'sso_attempts',
  {
    ...ownerColumns(),
    connectionId: uuid('connection_id').notNull(),
    /** What comes back in `state` or `RelayState`. */
    stateHash: bytes('state_hash').notNull(),
    /** The cookie of the browser that began. */
    browserHash: bytes('browser_hash').notNull(),
    /** Sealed: nonce and verifier, or the id of the SAML request. */
    sealed: text('sealed').notNull(),
    /** Who tries it before it is switched on; null at a sign-in. */
    testerId: uuid('tester_id').references(() => users.id),
    expiresAt: instant('expires_at').notNull(),
    /** When the provider answered: a second answer is refused. */
    answeredAt: instant('answered_at'),
    /** SAML: an assertion is good once. */
    assertionId: text('assertion_id'),
    /** Sealed: who it is, or what was wrong with the answer. */
    outcome: text('outcome'),
    /** What the browser fetches its session with. */
    ticketHash: bytes('ticket_hash'),
    spentAt: instant('spent_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({
      columns: [t.companyId, t.connectionId],
      foreignColumns: [ssoConnections.companyId, ssoConnections.id],
    }).onDelete('cascade'),
    uniqueIndex('sso_attempts_state').on(t.companyId, t.stateHash),
    uniqueIndex('sso_attempts_assertion')
      .on(t.companyId, t.connectionId, t.assertionId)
      .where(sql`${t.assertionId} is not null`),
    index('sso_attempts_age').on(t.companyId, t.expiresAt),
  ],
)
