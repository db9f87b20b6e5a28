import type { RoleRef } from '@voisol/contract/roles'
import { type ImportLine, type ImportReport, Invite } from '@voisol/contract/users'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { memberships, users } from '../../../db/schema/index.ts'
import type { CsvLine } from '../../../files/csv.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import type { RouteContext } from '../../../http/route.ts'
import { listRoles } from '../roles/index.ts'
import { userScope } from './list-users.ts'

type Invitation = z.output<typeof Invite>
type Line = z.infer<typeof ImportLine>
/** The plan for a line; a person to invite has an `invitation`. */
type LinePlan = Line & { invitation?: Invitation }

const MAX_USER_IMPORT_LINES = 1000
const normalizeText = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '')

type Column = 'email' | 'firstName' | 'lastName' | 'role'
const COLUMN_NAMES: Record<Column, string[]> = {
  email: ['email', 'mail', 'courriel', 'adresseemail', 'adressemail', 'adresse'],
  firstName: ['prenom', 'firstname'],
  lastName: ['nom', 'nomdefamille', 'lastname'],
  role: ['role', 'profil'],
}
const COLUMN_LABELS: Record<Column, string> = { email: 'email', firstName: 'prénom', lastName: 'nom', role: 'rôle' }
/** Accepted synonyms of role names. */
const ROLE_ALIASES: Record<string, RoleRef> = {
  '': 'client',
  participant: 'client',
  admin: 'admin',
  administratrice: 'admin',
  technicienne: 'technician',
  lecture: 'reader',
}
const COLUMN_KEYS = Object.keys(COLUMN_NAMES) as Column[] // keys of a literal

/** The position of each column. Without a role column everybody becomes a client. */
function parseHeader(header: CsvLine | undefined): Record<Column, number> {
  const titles = header?.cells.map(normalizeText) ?? []
  const places = Object.fromEntries(
    COLUMN_KEYS.map((name) => [name, titles.findIndex((title) => COLUMN_NAMES[name].includes(title))]),
  ) as Record<Column, number> // one entry per name
  const missing = COLUMN_KEYS.filter((name) => name !== 'role' && places[name] < 0)
  if (missing.length)
    throw fieldError(
      'csv',
      `La première ligne nomme les colonnes email;prénom;nom;rôle. Absente${missing.length > 1 ? 's' : ''} : ${missing.map((name) => COLUMN_LABELS[name]).join(', ')}.`,
    )
  return places
}

function planLine({ line, cells }: CsvLine, places: Record<Column, number>, roles: Map<string, RoleRef>): LinePlan {
  const cell = (name: Column) => cells[places[name]] ?? ''
  const written = normalizeText(cell('role'))
  const role = roles.get(written)
  const email = cell('email').slice(0, 254)
  const refuseLine = (message: string): LinePlan => ({ line, email, outcome: 'refused', message })
  if (!role) return refuseLine(`rôle : « ${cell('role').slice(0, 40)} » n’est pas un rôle de votre organisation.`)
  const parsed = Invite.safeParse({ email, firstName: cell('firstName'), lastName: cell('lastName'), role })
  if (parsed.success)
    return { line, email: parsed.data.email, outcome: 'invited', message: 'À inviter.', invitation: parsed.data }
  const issue = parsed.error.issues[0]
  const column = COLUMN_KEYS.find((name) => name === issue?.path[0])
  return refuseLine(`${column ? COLUMN_LABELS[column] : 'ligne'} : ${issue?.message ?? 'valeur non valable.'}`)
}

/** Plans the import line by line, without writing anything. */
export async function planUserImport(
  ctx: Pick<RouteContext, 'db' | 'compute' | 'signal'>,
  actor: Actor,
  csv: string,
): Promise<LinePlan[]> {
  const { db, compute, signal } = ctx
  const [header, ...lines] = await compute('users.read', csv, { companyId: actor.companyId, signal })
  const places = parseHeader(header)
  if (!lines.length) throw fieldError('csv', 'Le fichier ne contient aucune personne sous la ligne de titres.')
  if (lines.length > MAX_USER_IMPORT_LINES)
    throw fieldError('csv', `Au plus ${MAX_USER_IMPORT_LINES} personnes par fichier.`)
  const members = await db
    .select({ email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(userScope(actor))
  const known = new Set(members.map(({ email }) => email.toLowerCase()))
  const roles = new Map([
    ...Object.entries(ROLE_ALIASES),
    ...(await listRoles(db, actor)).map(({ id, name }) => [normalizeText(name), id] as const),
  ])
  const seen = new Map<string, number>()
  return lines.map((line) => checkDuplicates(planLine(line, places, roles), known, seen))
}

function checkDuplicates(plan: LinePlan, known: Set<string>, seen: Map<string, number>): LinePlan {
  if (!plan.invitation) return plan
  const { line, email } = plan
  const first = seen.get(email)
  if (first !== undefined) return { line, email, outcome: 'refused', message: `Déjà à la ligne ${first} du fichier.` }
  seen.set(email, line)
  if (known.has(email)) return { line, email, outcome: 'existing', message: 'Déjà dans votre organisation.' }
  return plan
}

export function buildUserImportReport(plans: LinePlan[], dryRun: boolean): z.infer<typeof ImportReport> {
  const number = (outcome: Line['outcome']) => plans.filter((plan) => plan.outcome === outcome).length
  const lines = plans.map(({ invitation, ...line }) =>
    invitation && !dryRun ? { ...line, message: 'Invitation envoyée.' } : line,
  )
  return { invited: number('invited'), existing: number('existing'), refused: number('refused'), lines }
}
