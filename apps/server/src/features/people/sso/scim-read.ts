import { Email, Text } from '@voisol/contract/primitives'
import { z } from 'zod'
import { ScimError } from './scim-errors.ts'

/** What a directory says of somebody, whichever way it says it; what is absent stays as it is. */
export type ScimUserChange = {
  userName?: string
  email?: string
  givenName?: string
  familyName?: string
  externalId?: string | null
  active?: boolean
  roles?: string[]
}

/** Entra writes « True » and « False ». */
const Active = z
  .union([z.boolean(), z.string().regex(/^(true|false)$/i)])
  .transform((value) => String(value).toLowerCase() === 'true')
const Name = z.string().trim().max(200)
const Values = z.array(z.object({ value: z.string().max(500), primary: z.unknown().optional() })).max(50)

const UserResource = z.object({
  userName: Text.optional(),
  externalId: z.string().max(500).nullish(),
  active: Active.optional(),
  name: z.object({ givenName: Name.nullish(), familyName: Name.nullish() }).nullish(),
  emails: Values.nullish(),
  roles: z
    .array(z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]))
    .max(50)
    .nullish(),
})

export const toScimValueError = (error: z.ZodError) => {
  const [issue] = error.issues
  return new ScimError(
    400,
    `${issue?.path.join('.') || 'Ressource'}\u00a0: ${issue?.message ?? 'valeur refusée'}`,
    'invalidValue',
  )
}

const isPrimary = ({ primary }: { primary?: unknown }) => primary === true || String(primary).toLowerCase() === 'true'

/** A whole resource, of a creation or a replacement. */
export function parseScimUser(body: unknown): ScimUserChange {
  const read = UserResource.safeParse(body)
  if (!read.success) throw toScimValueError(read.error)
  const { userName, externalId, active, name, emails, roles } = read.data
  const email = (emails?.find(isPrimary) ?? emails?.[0])?.value
  return {
    ...(userName !== undefined && { userName }),
    ...(email !== undefined && { email }),
    ...(name?.givenName && { givenName: name.givenName }),
    ...(name?.familyName && { familyName: name.familyName }),
    ...(externalId !== undefined && { externalId }),
    ...(active !== undefined && { active }),
    ...(roles && { roles }),
  }
}

export const ScimPatch = z.object({
  Operations: z
    .array(z.object({ op: z.string(), path: z.string().max(300).optional(), value: z.unknown().optional() }))
    .min(1)
    .max(100),
})

/** Where a path of a patch leads; what is not kept here leads nowhere. */
const PATCH_PATHS: [RegExp, (value: unknown) => object][] = [
  [/^(urn:[^ ]+:User:)?userName$/i, (userName) => ({ userName })],
  [/^(urn:[^ ]+:User:)?externalId$/i, (externalId) => ({ externalId })],
  [/^(urn:[^ ]+:User:)?active$/i, (active) => ({ active })],
  [/^(urn:[^ ]+:User:)?name$/i, (name) => ({ name })],
  [/^(urn:[^ ]+:User:)?name\.givenName$/i, (givenName) => ({ name: { givenName } })],
  [/^(urn:[^ ]+:User:)?name\.familyName$/i, (familyName) => ({ name: { familyName } })],
  [/^(urn:[^ ]+:User:)?emails$/i, (emails) => ({ emails })],
  [/^(urn:[^ ]+:User:)?emails\[type eq "work"\]\.value$/i, (value) => ({ emails: [{ value, primary: true }] })],
]

const toPatchPart = (path: string, value: unknown): object =>
  PATCH_PATHS.find(([pattern]) => pattern.test(path))?.[1](value) ?? {}

/** Without a path the value names what it changes, as Okta sends it. */
function toPatchParts(path: string | undefined, value: unknown): object[] {
  if (path !== undefined) return [toPatchPart(path, value)]
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new ScimError(400, 'Sans «\u00a0path\u00a0», la valeur est un objet.', 'invalidSyntax')
  return Object.entries(value).map(([name, one]) => toPatchPart(name, one))
}

/** The operations of a patch, in their order: a later one counts. */
export function parseScimUserPatch(body: unknown): ScimUserChange {
  const read = ScimPatch.safeParse(body)
  if (!read.success) throw new ScimError(400, 'Une liste «\u00a0Operations\u00a0» est attendue.', 'invalidSyntax')
  let change: ScimUserChange = {}
  for (const { op, path, value } of read.data.Operations) {
    const kind = op.toLowerCase()
    if (!['add', 'replace', 'remove'].includes(kind))
      throw new ScimError(400, `Opération inconnue\u00a0: «\u00a0${op}\u00a0».`, 'invalidSyntax')
    if (kind === 'remove') {
      if (/externalId$/i.test(path ?? '')) change = { ...change, externalId: null }
      continue
    }
    for (const part of toPatchParts(path, value)) change = { ...change, ...parseScimUser(part) }
  }
  return change
}

/** No directory has more people than nine digits count; a larger number is a mistake, and the database would not read it. */
export function parseNumberParam(query: Record<string, string | undefined>, name: string, otherwise: number): number {
  const text = query[name]
  if (text === undefined) return otherwise
  if (!/^[+-]?\d{1,9}$/.test(text))
    throw new ScimError(400, `${name}\u00a0: un nombre entier est attendu.`, 'invalidValue')
  return Number(text)
}

/** Each parameter stands once: nobody can tell which of two was meant. */
export function parseScimQuery(query: unknown): Record<string, string | undefined> {
  const read = z.record(z.string(), z.string()).safeParse(query)
  if (!read.success) throw new ScimError(400, 'Chaque paramètre ne peut être indiqué qu’une fois.', 'invalidValue')
  return read.data
}

/** The address by which somebody is known: the user name where it is one, else the one of work. */
export function getScimAddress({ userName, email }: ScimUserChange): string | undefined {
  const given = userName?.includes('@') ? userName : (email ?? userName)
  if (given === undefined) return undefined
  const read = Email.safeParse(given)
  if (!read.success)
    throw new ScimError(
      400,
      `userName\u00a0: une adresse e-mail est attendue, et non «\u00a0${given.slice(0, 80)}\u00a0».`,
      'invalidValue',
    )
  return read.data
}

/** The address that a change gives them: a second one that is only added beside the user name moves nobody. */
export const getNewScimAddress = (change: ScimUserChange): string | undefined =>
  change.userName === undefined ? undefined : getScimAddress(change)

const FILTER_PATTERN =
  /^\s*(userName|externalId|id|emails\.value|emails\[type eq "work"\]\.value)\s+eq\s+"((?:[^"\\]|\\.)*)"\s*$/i

export function parseScimUserFilter(filter: string): { by: 'email' | 'externalId' | 'id'; value: string } {
  const [, name = '', written = ''] = FILTER_PATTERN.exec(filter) ?? []
  if (!name) throw new ScimError(400, 'Filtres acceptés\u00a0: userName eq "…", externalId eq "…".', 'invalidFilter')
  const value = written.replace(/\\(.)/g, '$1')
  const lower = name.toLowerCase()
  return { by: lower === 'externalid' ? 'externalId' : lower === 'id' ? 'id' : 'email', value }
}
