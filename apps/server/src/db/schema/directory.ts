/**
 * The tables that belong to no single company, each with the reason: who the companies and people are, and what is known
 * before a company is. Every other table is a company's, keyed by it first.
 */
export const DIRECTORY: Record<string, string> = {
  users: 'a person has one account for all companies, and signs in before one is chosen',
  companies: 'the list of companies itself',
  memberships: 'who is in which company: read by person, and by the hash of an invitation, before a company is known',
  sign_ins: 'of an account, written as it signs in',
  sessions: 'found by the hash of a token alone; a session may change company',
  spent_refreshes: 'of a session, found by the hash of a token',
  password_resets: 'of an account, found by the hash of a link',
  email_verifications: 'of an account, found by the hash of a link',
  recovery_codes: 'of an account',
  passkeys: 'of an account, found by the name that the authenticator gives before anybody is known',
  passkey_uses: 'of an account, written as it signs in',
  passkey_challenges: 'of whoever signs in, before anybody is known',
  notification_preferences: 'of a person, whichever company writes to them',
  idempotency_keys: 'of whoever calls, visitors included',
  throttles: 'counts by address and by account, before anybody is known',
  sso_domains: 'of an address, looked for before a company is known; proved for one company alone',
  brand_hosts: 'of a host, looked for before a company is known; proved for one company alone',
  status_samples: 'of the installation',
  health_samples: 'of the installation',
  health_alerts: 'of the installation',
  incidents: 'of the installation: told to everybody',
  incident_updates: 'of the installation: told to everybody',
  status_subscribers: 'of visitors, who belong to no company',
  copy_runs: 'of the installation: its copies and what proved them',
  copy_schedule: 'of the installation: one row',
  trusted_installations: 'of the installation: whose archives are believed',
}

/** Tables of a company that say who calls and what they may: read with the directory, before anything of the company is. */
export const READ_FIRST: Record<string, string> = {
  roles: 'what a membership gives',
  subscriptions: 'whether a company still writes',
  sso_connections: 'who vouches for the addresses of a domain',
}

/** The public site of the installation: of whichever company keeps it, which may change, and shown whatever machine is away. */
export const OF_THE_SITE = [
  'contents',
  'content_versions',
  'site_images',
  'site_revisions',
  'seo_records',
  'redirects',
  'requests',
  'bookings',
  'legal_notices',
]

/** Tables that nothing of a company is joined to: on one machine, so that writing them needs no other. */
const OF_ONE_MACHINE = new Set([
  ...OF_THE_SITE,
  'sign_ins',
  'sessions',
  'spent_refreshes',
  'password_resets',
  'email_verifications',
  'recovery_codes',
  'passkey_uses',
  'passkey_challenges',
  'idempotency_keys',
  'throttles',
  'status_samples',
  'health_samples',
  'health_alerts',
  'incidents',
  'incident_updates',
  'status_subscribers',
  'copy_runs',
  'copy_schedule',
  'trusted_installations',
])

/** Where the rows of a table are once it is spread over machines: by their company, a copy on each, or on the first alone. */
export type Spread = 'by-company' | 'everywhere' | 'first'

export function spreadOf(table: string): Spread {
  if (OF_ONE_MACHINE.has(table)) return 'first'
  return table in DIRECTORY || table in READ_FIRST ? 'everywhere' : 'by-company'
}

/** Tables of companies lie together, beside this one: the rows of one company are on one machine, whichever table they are in. */
export const ANCHOR = 'operations'
