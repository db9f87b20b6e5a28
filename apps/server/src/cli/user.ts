import { randomInt } from 'node:crypto'
import { BuiltInRole, ROLES, RoleRef } from '@voisol/contract/roles'
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { type Db, transaction } from '../db/client.ts'
import { companies, memberships, sessions, users } from '../db/schema/index.ts'
import type { Deps } from '../deps.ts'
import {
  buildPasswordColumns,
  confirmUserAddress,
  invalidateResetLinks,
  lockCredentials,
} from '../features/identity/auth/index.ts'
import { recordMemberChange } from '../features/identity/users/index.ts'
import { appendAudit } from '../http/audit.ts'
import { formatCliCount, formatTextTable, printLine, UsageError } from './output.ts'

export type UserOptions = {
  email?: string | undefined
  'first-name'?: string | undefined
  'last-name'?: string | undefined
  company?: string | undefined
  'company-name'?: string | undefined
  admin?: boolean | undefined
}

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
/** Five groups of five characters: 125 bits, easy to read aloud. */
const generatePassword = () =>
  Array.from({ length: 5 }, () => Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')).join(
    '-',
  )

function requireOption(options: UserOptions, name: 'email' | 'first-name' | 'last-name'): string {
  const value = options[name]?.trim()
  if (!value) throw new UsageError(`Il manque --${name}.`)
  return name === 'email' ? value.toLowerCase() : value
}

export const findUserByEmail = async (tx: Db, email: string) =>
  (await tx.select().from(users).where(sql`lower(${users.email}) = ${email}`))[0]

async function requireUser(tx: Db, options: UserOptions) {
  const email = requireOption(options, 'email')
  const user = await findUserByEmail(tx, email)
  if (!user) throw new UsageError(`Aucun compte n’a l’adresse ${email}.`)
  return user
}

export async function requireCompanyById(tx: Db, id: string) {
  const [company] = /^\d{1,9}$/.test(id)
    ? await tx
        .select()
        .from(companies)
        .where(eq(companies.id, Number(id)))
    : []
  if (!company) throw new UsageError(`Aucune organisation n’a le numéro ${id}.`)
  return company
}

async function requireOrCreateCompany(tx: Db, options: UserOptions) {
  if (options.company) return requireCompanyById(tx, options.company)
  const name = options['company-name']?.trim()
  if (!name) throw new UsageError('Indiquez --company <numéro>, ou --company-name "<nom>" pour en créer une.')
  const [company] = await tx.insert(companies).values({ name }).returning()
  if (!company) throw new Error('the company was not created')
  return company
}

export const recordCommandAudit = (
  { secrets }: Deps,
  tx: Db,
  companyId: number,
  action: string,
  label: string,
  target: string,
) =>
  appendAudit(tx, secrets, {
    companyId,
    userId: null,
    actor: 'ligne de commande',
    action: `voisol ${action}`,
    label,
    target,
    outcome: 'done',
    detail: {},
    requestId: '',
    ip: '',
  })

export const runUserCreateCommand = (deps: Deps, options: UserOptions) =>
  transaction(deps.db, async (tx) => {
    const email = requireOption(options, 'email')
    if (!/^\S+@\S+\.\S+$/.test(email)) throw new UsageError('Adresse e-mail attendue, par exemple nom@exemple.fr.')
    const names = { firstName: requireOption(options, 'first-name'), lastName: requireOption(options, 'last-name') }
    if (await findUserByEmail(tx, email)) throw new UsageError(`Un compte existe déjà avec l’adresse ${email}.`)
    const company = await requireOrCreateCompany(tx, options)
    const password = generatePassword()
    const kept = await buildPasswordColumns(password)
    const [user] = await tx
      .insert(users)
      .values({ email, ...names, ...kept, emailVerifiedAt: new Date() })
      .returning()
    if (!user) throw new Error('the user was not created')
    const isAdmin = options.admin ?? false
    await tx
      .insert(memberships)
      .values({ companyId: company.id, userId: user.id, role: isAdmin ? 'admin' : 'client', acceptedAt: new Date() })
    await recordCommandAudit(deps, tx, company.id, 'user create', 'Créer un compte', email)
    if (isAdmin) await recordMemberChange(tx, company.id, { id: user.id, status: 'active', role: 'admin' })
    printLine(
      `Compte ${isAdmin ? 'administrateur' : 'client'} créé dans «\u00a0${company.name}\u00a0» (n° ${company.id}).`,
    )
    printLine(`  Adresse      : ${email}`)
    printLine(`  Mot de passe\u00a0: ${password}  (affiché cette seule fois)`)
  })

const getMembershipStateLabel = (row: { disabledAt: Date | null; acceptedAt: Date | null }) => {
  if (row.disabledAt) return 'désactivé'
  return row.acceptedAt ? 'actif' : 'invité'
}

export async function runUserListCommand({ db }: Deps, options: UserOptions) {
  const where: SQL | undefined = options.company
    ? eq(memberships.companyId, (await requireCompanyById(db, options.company)).id)
    : undefined
  const rows = await db
    .select()
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(where)
    .orderBy(asc(companies.id), asc(users.email))
  const cells = rows.map(({ users: user, memberships: member, companies: company }) => [
    user.email,
    `${user.firstName} ${user.lastName}`,
    member.role === 'custom' ? 'rôle propre' : ROLES[BuiltInRole.parse(member.role)].label.toLowerCase(),
    getMembershipStateLabel(member),
    `${company.id} ${company.name}`,
  ])
  printLine(formatTextTable(['Adresse', 'Nom', 'Rôle', 'État', 'Organisation'], cells))
  printLine(`\n${formatCliCount(rows.length, 'compte')}`)
}

export const runUserDisableCommand = (deps: Deps, options: UserOptions) =>
  transaction(deps.db, async (tx) => {
    const user = await requireUser(tx, options)
    const only = options.company
      ? eq(memberships.companyId, (await requireCompanyById(tx, options.company)).id)
      : undefined
    const changed = await tx
      .update(memberships)
      .set({ disabledAt: new Date() })
      .where(and(eq(memberships.userId, user.id), only))
      .returning()
    if (!changed.length) throw new UsageError(`${user.email} n’est pas de cette organisation.`)
    for (const { companyId, role, roleId } of changed) {
      await tx.delete(sessions).where(and(eq(sessions.userId, user.id), eq(sessions.companyId, companyId)))
      await recordCommandAudit(deps, tx, companyId, 'user disable', 'Désactiver un utilisateur', user.email)
      await recordMemberChange(tx, companyId, { id: user.id, status: 'disabled', role: RoleRef.parse(roleId ?? role) })
    }
    printLine(
      `${user.email} n’a plus accès à ${formatCliCount(changed.length, 'organisation')}\u00a0; ses sessions y sont fermées.`,
    )
  })

export const runResetPasswordCommand = (deps: Deps, options: UserOptions) =>
  transaction(deps.db, async (tx) => {
    const user = await requireUser(tx, options)
    // The operator vouches for the address: what a stranger set in the account must not remain.
    await confirmUserAddress(tx, user.id, { password: false })
    await invalidateResetLinks(tx, user.id)
    await lockCredentials(tx, user.id)
    const password = generatePassword()
    await tx
      .update(users)
      .set(await buildPasswordColumns(password))
      .where(eq(users.id, user.id))
    await tx.delete(sessions).where(eq(sessions.userId, user.id))
    const where = eq(memberships.userId, user.id)
    for (const { companyId } of await tx.select().from(memberships).where(where))
      await recordCommandAudit(deps, tx, companyId, 'user reset-password', 'Changer de mot de passe', user.email)
    printLine(
      `Nouveau mot de passe de ${user.email}\u00a0: ${password}  (affiché cette seule fois\u00a0; ses sessions sont fermées)`,
    )
  })

/** Creates an active membership as administrator, or raises an existing one. */
export const runUserGrantCommand = (deps: Deps, options: UserOptions) =>
  transaction(deps.db, async (tx) => {
    const user = await requireUser(tx, options)
    if (!options.company) throw new UsageError('Il manque --company <numéro>.')
    const { id: companyId, name } = await requireCompanyById(tx, options.company)
    // Anyone may have registered an unconfirmed address: its password must not become that of an administrator.
    await confirmUserAddress(tx, user.id, { password: false })
    const active = { role: 'admin', roleId: null, operationIds: null, disabledAt: null, acceptedAt: new Date() }
    await tx
      .insert(memberships)
      .values({ companyId, userId: user.id, ...active })
      .onConflictDoUpdate({
        target: [memberships.companyId, memberships.userId],
        set: { ...active, invitationHash: null, invitationExpiresAt: null },
      })
    await recordCommandAudit(deps, tx, companyId, 'user grant', 'Donner le rôle d’administrateur', user.email)
    await recordMemberChange(tx, companyId, { id: user.id, status: 'active', role: 'admin' })
    printLine(`${user.email} est administrateur de «\u00a0${name}\u00a0» (n° ${companyId}).`)
    if (!user.emailVerifiedAt)
      printLine(
        'Cette adresse n’avait jamais été confirmée\u00a0: le mot de passe, les clés et les sessions du compte ont été retirés. La personne en choisit un par «\u00a0Mot de passe oublié\u00a0».',
      )
  })
