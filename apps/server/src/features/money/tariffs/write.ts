import type { TariffRule } from '@voisol/contract/tariff-rule'
import type { TariffAdoption, TariffCopy, TariffDraft, TariffProblem, TariffUpdate } from '@voisol/contract/tariffs'
import { and, eq, max, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { record } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { tariffs } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import type { Version } from './prices.ts'
import { problemsOf } from './problems.ts'
import { lostIn } from './references.ts'
import { lockOperation } from './scope.ts'
import { spanOf } from './span.ts'
import { findTariff } from './view.ts'

/** A rule goes by its version and its place: no two versions of an operation have one of the same name, so a line of an invoice names one rule. */
const placed = (number: number, rules: readonly TariffRule[]): TariffRule[] =>
  rules.map((rule, at) => ({ ...rule, id: `v${number}-${String(at + 1).padStart(3, '0')}` }))

async function requireKnown(tx: Db, companyId: number, rules: readonly TariffRule[]) {
  const lost = await lostIn(tx, companyId, rules)
  const issues = lost.map(({ at, field, message }) => ({ path: `rules.${at}.${field}`, message }))
  if (issues.length) throw new AppError('invalid', { message: issues[0]?.message ?? '', issues })
}

export async function createTariff(tx: Db, actor: Actor, operationId: string, input: z.output<typeof TariffDraft>) {
  const { companyId } = actor
  await lockOperation(tx, actor, operationId)
  await requireKnown(tx, companyId, input.rules)
  const [last] = await tx
    .select({ number: max(tariffs.number) })
    .from(tariffs)
    .where(and(eq(tariffs.companyId, companyId), eq(tariffs.operationId, operationId)))
  const number = (last?.number ?? 0) + 1
  const [row] = await tx
    .insert(tariffs)
    .values({ ...input, rules: placed(number, input.rules), companyId, operationId, number, status: 'draft' })
    .returning({ id: tariffs.id })
  if (!row) throw new Error('the tariff was not created')
  return row.id
}

/** The rules of another version, from another day on. */
export async function copyTariff(tx: Db, actor: Actor, id: string, input: z.output<typeof TariffCopy>) {
  const { version } = await findTariff(tx, actor, id)
  return createTariff(tx, actor, version.operationId, { ...input, rules: version.rules })
}

/** A draft and its operation, held until the transaction ends; what is adopted changes no more. */
async function lockDraft(tx: Db, actor: Actor, id: string): Promise<{ version: Version; all: Version[] }> {
  await lockOperation(tx, actor, (await findTariff(tx, actor, id)).version.operationId)
  const found = await findTariff(tx, actor, id)
  const { number, status } = found.version
  if (status === 'adopted')
    throw new AppError('conflict', {
      message: `La version ${number} est adoptée\u00a0: elle ne change plus. Préparez une nouvelle version au jour voulu.`,
    })
  return found
}

const one = ({ companyId, id }: Version) => and(eq(tariffs.companyId, companyId), eq(tariffs.id, id))

/** Only what is still a draft is written: the database itself refuses the rest. */
async function change(tx: Db, version: Version, values: Partial<typeof tariffs.$inferInsert>) {
  const rows = await tx
    .update(tariffs)
    .set({ ...values, version: sql`${tariffs.version} + 1` })
    .where(one(version))
    .returning({ id: tariffs.id })
  if (!rows.length) throw new AppError('conflict')
}

export async function updateTariff(tx: Db, actor: Actor, id: string, input: z.output<typeof TariffUpdate>) {
  const { version: before } = await lockDraft(tx, actor, id)
  const { rules: _, ...fields } = before
  requireVersion(fields, input)
  await requireKnown(tx, actor.companyId, input.rules)
  const { version: _version, ...values } = input
  await change(tx, before, { ...values, rules: placed(before.number, input.rules) })
  return before
}

export async function removeTariff(tx: Db, actor: Actor, id: string) {
  const { version } = await lockDraft(tx, actor, id)
  await tx.delete(tariffs).where(one(version))
  return version
}

/** Prices of what is closed do not change without a word. */
function requireReason(problems: readonly TariffProblem[], reason: string | undefined) {
  const [closed] = problems.filter(({ severity }) => severity === 'reason')
  if (!closed || reason) return
  const message = `${closed.message} Dites pourquoi (10 caractères au moins).`
  throw new AppError('invalid', { message, issues: [{ path: 'reason', message }] })
}

/** Every reason together: nobody comes back for the next one. */
export async function adoptTariff(tx: Db, actor: Actor, id: string, wanted: z.output<typeof TariffAdoption>) {
  const { version, all } = await lockDraft(tx, actor, id)
  requireVersion({ version: version.version }, wanted)
  const problems = await problemsOf(tx, version, all)
  const refused = problems.filter(({ severity }) => severity === 'refused')
  if (refused.length)
    throw new AppError('invalid', {
      message: `Ce tarif ne peut pas être adopté. ${refused[0]?.message ?? ''}`,
      issues: refused.map(({ message, rule }) => ({ path: rule === null ? 'startsOn' : `rules.${rule}`, message })),
    })
  requireReason(problems, wanted.reason)
  await change(tx, version, { status: 'adopted', adoptedAt: new Date(), adoptedBy: actor.email })
  const { companyId } = actor
  const { operationId } = version
  const data = { tariffId: id, operationId, days: spanOf(version, all) }
  await record(tx, { companyId, name: 'tariff.adopted', object: id, data })
  return version
}
