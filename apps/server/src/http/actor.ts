import type { CallLimits } from '@voisol/contract/api-keys'
import type { AccountRequirement, CurrentUser } from '@voisol/contract/auth'
import type { SecondFactorRule } from '@voisol/contract/companies'
import {
  isPermission,
  narrowPermissions,
  type Permission,
  type PermissionHolder,
  type Space,
} from '@voisol/contract/permissions'
import { type BuiltInRole, ROLES } from '@voisol/contract/roles'
import { type Db, queryPrepared } from '../db/client.ts'
import type { SIGN_IN_METHODS } from '../db/schema/index.ts'

/** Who acts, and in which company: a person, an API key on behalf of its creator, or a job. */
export type Actor = PermissionHolder & {
  kind: 'person' | 'key' | 'job'
  companyId: number
  /** The person, or the creator of the key. */
  userId: string
  keyId?: string
  /** Only a person has a session; others have `NO_SESSION`. */
  sessionId: string
  email: string
  firstName: string
  lastName: string
  /** The operations the actor is limited to; null without a limit. */
  operationIds: readonly string[] | null
  /** Whether the company owns the public site: permissions on the site exist only there. */
  keepsSite: boolean
  /** The trial or subscription of the company has ended: it is read-only. */
  readOnly?: boolean
  /** Another company that the call names and that this session may act in, as checked by `requireSessionScope`. */
  namedCompanyId?: number
  /** For a key: its call limits, and those of all keys of its company together. */
  limits?: { key: CallLimits; company: CallLimits }
}
/** The name of an actor in stored records. */
export const formatActorName = ({ firstName, lastName, email }: Pick<Actor, 'firstName' | 'lastName' | 'email'>) =>
  `${firstName} ${lastName}`.trim() || email

/** How a session was opened, and the only company it is valid for, if limited to one. */
export type SessionOpening = { openedWith: (typeof SIGN_IN_METHODS)[number]; openedFor: number | null }

/** With the data that the browser receives about them. */
export type PersonActor = Actor &
  SessionOpening & {
    kind: 'person'
    user: CurrentUser
  }
export const isPersonActor = (actor: Actor): actor is PersonActor => actor.kind === 'person' && 'user' in actor

export const NO_SESSION = '00000000-0000-0000-0000-000000000000'

/**
 * True when a trial or subscription has ended, where the operator sells subscriptions: until a plan is chosen, the
 * company is read-only.
 */
const IS_SUBSCRIPTION_LAPSED = `(not c.keeps_site and exists (
    select 1 from subscriptions su where su.company_id = c.id and su.held
       and (su.state = 'ended' or su.state = 'trial' and c.trial_ends_at <= now()))
  and exists (select 1 from companies k where k.keeps_site))`

/**
 * A person in one of their companies, from tables copied to every machine; the query joins users u, memberships m and
 * companies c.
 */
export const PERSON_COLUMNS = `
  u.id, u.email, u.first_name as "firstName", u.last_name as "lastName", u.phone, u.version,
  array_remove(array[
    case when u.totp_enabled_at is not null then 'code' end,
    case when exists (select 1 from passkeys pk where pk.user_id = u.id) then 'passkey' end], null) as "secondFactors",
  u.password_long as "passwordLong", u.email_verified_at is not null as "emailVerified",
  m.role as "roleKey", m.operation_ids as "operationIds",
  (select json_build_object('name', r.name, 'permissions', r.permissions)
     from roles r where r.company_id = m.company_id and r.id = m.role_id) as "ownRole",
  c.id as "companyId", c.name as "companyName", c.second_factor as "secondFactorRule",
  case when not exists (select 1 from subscriptions su where su.company_id = c.id and su.held and su.state <> 'trial')
    then c.trial_ends_at end as "trialEndsAt",
  c.keeps_site as "keepsSite", ${IS_SUBSCRIPTION_LAPSED} as "readOnly",
  c.example_of as "exampleOf",
  (select json_agg(json_build_object('id', oc.id, 'name', oc.name) order by oc.name)
     from memberships om join companies oc on oc.id = om.company_id
    where om.user_id = u.id and om.accepted_at is not null and om.disabled_at is null) as companies`

type DerivedUserField =
  | 'bySingleSignOn'
  | 'duty'
  | 'secondFactor'
  | 'role'
  | 'isAdmin'
  | 'roleName'
  | 'space'
  | 'spaces'
  | 'permissions'
export type PersonRow = Omit<CurrentUser, DerivedUserField | 'trialEndsAt'> & {
  trialEndsAt: Date | null
  roleKey: BuiltInRole | 'custom'
  ownRole: { name: string; permissions: string[] } | null
  livesThere: boolean
  passwordLong: boolean | null
  secondFactorRule: SecondFactorRule
  keepsSite: boolean
  bySso?: boolean
}

type RoleAssignment = Pick<PersonRow, 'roleKey' | 'ownRole' | 'keepsSite'> & Pick<Actor, 'operationIds'>

/** The permissions of a role in this company, reduced if the person is limited to some operations. */
export const computePermissions = ({ roleKey, ownRole, operationIds, keepsSite }: RoleAssignment): Permission[] =>
  narrowPermissions(
    roleKey === 'custom' ? (ownRole?.permissions ?? []).filter(isPermission) : ROLES[roleKey].permissions,
    {
      limited: operationIds !== null,
      site: keepsSite,
    },
  )

function getSpaces({ roleKey, livesThere }: PersonRow): [Space, ...Space[]] {
  if (roleKey === 'client') return ['portal']
  return livesThere ? ['office', 'portal'] : ['office']
}

/**
 * A second factor satisfies both requirements: the password rule is for those without one. A single sign-on session was
 * verified by its provider.
 */
function getAccountRequirement(
  { secondFactors, secondFactorRule: rule, roleKey, passwordLong, bySso }: PersonRow,
  space: Space,
): AccountRequirement | null {
  if (secondFactors.length || bySso) return null
  if (rule === 'everyone' || (rule === 'office' && roleKey !== 'client')) return 'second-factor'
  return space === 'office' && passwordLong === false ? 'password' : null
}

/** `chosen` is the space of the session; it is used as long as the person still has that space. */
export function toCurrentUser(row: PersonRow, chosen: string | null = null): CurrentUser {
  const {
    roleKey,
    ownRole,
    livesThere: _,
    keepsSite: __,
    passwordLong: _long,
    secondFactorRule: _rule,
    bySso,
    ...person
  } = row
  const spaces = getSpaces(row)
  const space = spaces.find((one) => one === chosen) ?? spaces[0]
  return {
    ...person,
    // A session opened by a company's provider is valid only there: that company must not learn of the person's other
    // companies.
    ...(bySso && {
      bySingleSignOn: true as const,
      companies: person.companies.filter(({ id }) => id === person.companyId),
    }),
    role: roleKey === 'client' ? 'client' : 'admin',
    isAdmin: roleKey !== 'client',
    roleName: roleKey === 'custom' ? (ownRole?.name ?? '') : ROLES[roleKey].label,
    space,
    spaces,
    secondFactor: row.secondFactors.length > 0,
    duty: getAccountRequirement(row, space),
    permissions: computePermissions(row),
    trialEndsAt: row.trialEndsAt?.toISOString() ?? null,
  }
}

type PersonSession = SessionOpening & { sessionId: string; keepsSite: boolean }

export function toPersonActor(user: CurrentUser, session: PersonSession): PersonActor {
  const { id: userId, companyId, email, firstName, lastName, space, permissions, operationIds } = user
  return {
    kind: 'person',
    ...session,
    userId,
    companyId,
    email,
    firstName,
    lastName,
    space,
    permissions,
    operationIds,
    readOnly: user.readOnly,
    user,
  }
}

/** A person without the information whether they have a portal, which company tables give. */
export type DirectoryPerson<Row extends PersonRow> = Omit<Row, 'livesThere'>

/** Read together with the session where company rows are on the same machine; memberships are m. */
export const HAS_PORTAL_COLUMN = `
  m.role <> 'client' and (exists (
    select 1 from participants p where p.company_id = m.company_id and p.user_id = m.user_id) or exists (
    select 1 from portal_holders ph where ph.company_id = m.company_id and ph.user_id = m.user_id)) as "livesThere"`

const HAS_PORTAL_QUERY = `
  select exists (select 1 from participants where company_id = $1 and user_id = $2)
      or exists (select 1 from portal_holders where company_id = $1 and user_id = $2) as "livesThere"`

/** Read separately with the company known: a join with the session would query every machine. */
export async function addPortalAccess<Row extends DirectoryPerson<PersonRow>>(
  db: Db,
  row: Row,
): Promise<Row & { livesThere: boolean }> {
  if (row.roleKey === 'client') return { ...row, livesThere: false }
  const { rows } = await queryPrepared<{ livesThere: boolean }>(db, 'lives-there', HAS_PORTAL_QUERY, [
    row.companyId,
    row.id,
  ])
  return { ...row, livesThere: rows[0]?.livesThere ?? false }
}
