import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm'
import { assignSiteOwner } from '../core/assign-site-owner.ts'
import { loadSiteOwnerId, NO_SITE_OWNER } from '../core/site-owner.ts'
import { type Db, transaction } from '../db/client.ts'
import { companies, memberships } from '../db/schema/index.ts'
import type { Deps } from '../deps.ts'
import { printLine, UsageError } from './output.ts'
import { findUserByEmail, recordCommandAudit, requireCompanyById } from './user.ts'

/** By its number, or by the address of a person who administers only that company. */
async function requireCompany(tx: Db, given: string) {
  if (!given.includes('@')) return requireCompanyById(tx, given)
  const user = await findUserByEmail(tx, given.toLowerCase())
  if (!user) throw new UsageError(`Aucun compte n’a l’adresse ${given}.`)
  const administers = [
    eq(memberships.userId, user.id),
    eq(memberships.role, 'admin'),
    isNotNull(memberships.acceptedAt),
    isNull(memberships.disabledAt),
  ]
  const found = await tx
    .select({ id: companies.id, name: companies.name })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(and(...administers))
    .orderBy(asc(companies.id))
  const [company] = found
  if (!company) throw new UsageError(`${given} n’administre aucune organisation.`)
  if (found.length > 1)
    throw new UsageError(
      `${given} administre plusieurs organisations\u00a0: donnez le numéro de l’une d’elles (${found.map(({ id, name }) => `${id} ${name}`).join(', ')}).`,
    )
  return company
}

async function printSiteOwner({ db }: Deps) {
  const id = await loadSiteOwnerId(db)
  if (id === NO_SITE_OWNER)
    printLine('Aucune organisation ne tient le site public\u00a0: voisol site keeper <numéro ou adresse>.')
  else printLine(`«\u00a0${(await requireCompanyById(db, String(id))).name}\u00a0» (n° ${id}) tient le site public.`)
}

/** Prints the company that owns the public site, or changes it when one is given. */
export async function runSiteOwnerCommand(deps: Deps, given: string | undefined) {
  if (given === undefined) return printSiteOwner(deps)
  await transaction(deps.db, async (tx) => {
    const { id, name } = await requireCompany(tx, given)
    const before = await assignSiteOwner(tx, deps.files, id)
    if (before === id) return printLine(`«\u00a0${name}\u00a0» (n° ${id}) tient déjà le site public.`)
    for (const companyId of [id, before])
      if (companyId !== NO_SITE_OWNER)
        await recordCommandAudit(deps, tx, companyId, 'site keeper', 'Confier le site public', `${name} (n° ${id})`)
    printLine(`«\u00a0${name}\u00a0» (n° ${id}) tient désormais le site public.`)
  })
}
