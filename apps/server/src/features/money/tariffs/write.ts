import type { TariffRule } from '@voisol/contract/tariff-rule'
import type { TariffAdoption, TariffCopy, TariffDraft, TariffProblem, TariffUpdate } from '@voisol/contract/tariffs'
import { and, eq, max, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { tariffs } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import type { TariffVersionRow } from './prices.ts'
import { loadTariffProblems } from './problems.ts'
import { findUnknownReferences } from './references.ts'
import { lockOperationForPrices } from './scope.ts'
import { getTariffPeriod } from './span.ts'
import { loadTariffVersion } from './view.ts'

/** A rule's id is its version number and position, unique in the operation, so an invoice line refers to one rule. */
const withRuleIds = (number: number, rules: readonly TariffRule[]): TariffRule[] =>
  rules.map((rule, at) => ({ ...rule, id: `v${number}-${String(at + 1).padStart(3, '0')}` }))

async function requireKnownRuleReferences(tx: Db, companyId: number, rules: readonly TariffRule[]) {
  const unknownReferences = await findUnknownReferences(tx, companyId, rules)
  const issues = unknownReferences.map(({ at, field, message }) => ({ path: `rules.${at}.${field}`, message }))
  if (issues.length) throw new AppError('invalid', { message: issues[0]?.message ?? '', issues })
}

export async function createTariff(tx: Db, actor: Actor, operationId: string, input: z.output<typeof TariffDraft>) {
  const { companyId } = actor
  await lockOperationForPrices(tx, actor, operationId)
  await requireKnownRuleReferences(tx, companyId, input.rules)
  const [last] = await tx
    .select({ number: max(tariffs.number) })
    .from(tariffs)
    .where(and(eq(tariffs.companyId, companyId), eq(tariffs.operationId, operationId)))
  const number = (last?.number ?? 0) + 1
  const [row] = await tx
    .insert(tariffs)
    .values({ ...input, rules: withRuleIds(number, input.rules), companyId, operationId, number, status: 'draft' })
    .returning({ id: tariffs.id })
  if (!row) throw new Error('the tariff was not created')
  return row.id
}

/** Copies the rules of a version to a new draft with another start day. */
export async function copyTariff(tx: Db, actor: Actor, id: string, input: z.output<typeof TariffCopy>) {
  const { version } = await loadTariffVersion(tx, actor, id)
  return createTariff(tx, actor, version.operationId, { ...input, rules: version.rules })
}

/** A draft, locked with its operation until the transaction ends; an adopted version no longer changes. */
async function lockDraftTariff(
  tx: Db,
  actor: Actor,
  id: string,
): Promise<{ version: TariffVersionRow; all: TariffVersionRow[] }> {
  await lockOperationForPrices(tx, actor, (await loadTariffVersion(tx, actor, id)).version.operationId)
  const found = await loadTariffVersion(tx, actor, id)
  const { number, status } = found.version
  if (status === 'adopted')
    throw new AppError('conflict', {
      message: `La version ${number} est adoptée\u00a0: elle ne change plus. Préparez une nouvelle version au jour voulu.`,
    })
  return found
}

const whereTariff = ({ companyId, id }: TariffVersionRow) => and(eq(tariffs.companyId, companyId), eq(tariffs.id, id))

/** Only a draft is updated: the database itself refuses anything else. */
async function updateTariffColumns(tx: Db, version: TariffVersionRow, values: Partial<typeof tariffs.$inferInsert>) {
  const rows = await tx
    .update(tariffs)
    .set({ ...values, version: sql`${tariffs.version} + 1` })
    .where(whereTariff(version))
    .returning({ id: tariffs.id })
  if (!rows.length) throw new AppError('conflict')
}

export async function updateTariff(tx: Db, actor: Actor, id: string, input: z.output<typeof TariffUpdate>) {
  const { version: before } = await lockDraftTariff(tx, actor, id)
  const { rules: _, ...fields } = before
  requireCurrentVersion(fields, input)
  await requireKnownRuleReferences(tx, actor.companyId, input.rules)
  const { version: _version, ...values } = input
  await updateTariffColumns(tx, before, { ...values, rules: withRuleIds(before.number, input.rules) })
  return before
}

export async function removeTariff(tx: Db, actor: Actor, id: string) {
  const { version } = await lockDraftTariff(tx, actor, id)
  await tx.delete(tariffs).where(whereTariff(version))
  return version
}

/** Changing prices of closed months needs a reason. */
function requireAdoptionReason(problems: readonly TariffProblem[], reason: string | undefined) {
  const [closed] = problems.filter(({ severity }) => severity === 'reason')
  if (!closed || reason) return
  const message = `${closed.message} Dites pourquoi (10 caractères au moins).`
  throw new AppError('invalid', { message, issues: [{ path: 'reason', message }] })
}

/** Reports every problem at once. */
export async function adoptTariff(tx: Db, actor: Actor, id: string, input: z.output<typeof TariffAdoption>) {
  const { version, all } = await lockDraftTariff(tx, actor, id)
  requireCurrentVersion({ version: version.version }, input)
  const problems = await loadTariffProblems(tx, version, all)
  const refused = problems.filter(({ severity }) => severity === 'refused')
  if (refused.length)
    throw new AppError('invalid', {
      message: `Ce tarif ne peut pas être adopté. ${refused[0]?.message ?? ''}`,
      issues: refused.map(({ message, rule }) => ({ path: rule === null ? 'startsOn' : `rules.${rule}`, message })),
    })
  requireAdoptionReason(problems, input.reason)
  await updateTariffColumns(tx, version, { status: 'adopted', adoptedAt: new Date(), adoptedBy: actor.email })
  const { companyId } = actor
  const { operationId } = version
  const data = { tariffId: id, operationId, days: getTariffPeriod(version, all) }
  await recordEvent(tx, { companyId, name: 'tariff.adopted', object: id, data })
  return version
}
