import type { PlantAmount, PlantEconomy } from '@voisol/contract/plants'
import { Study } from '@voisol/contract/projects'
import { addMonths } from '@voisol/energy/calendar'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { invoices, projects, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import {
  listMembersOfOperations,
  listReadableMembers,
  loadMemberRows,
  type Period,
  requirePeriod,
} from '../energy/index.ts'
import { listPlantAmounts, sumDueAmounts } from './plant-amounts.ts'

type EconomiesQuery = Period & { operationId?: string | undefined }
type Member = Awaited<ReturnType<typeof listReadableMembers>>[number]
type ProducerEnergy = { produced: number; shared: number; surplus: number }

const roundWh = (wh: number) => Math.round(wh * 1000) / 1000

/** Every producer with its plants: income and costs over the period, as issued and as entered. */
export async function listPlantEconomies(db: Db, actor: Actor, query: EconomiesQuery): Promise<PlantEconomy[]> {
  const period = requirePeriod(query)
  const members = (await listReadableMembers(db, actor, { operationId: query.operationId })).filter(
    ({ direction, storage, startsOn, endsOn }) =>
      direction === 'production' && !storage && startsOn < period.to && (endsOn === null || endsOn > period.from),
  )
  const amounts = Map.groupBy(await listPlantAmounts(db, actor), ({ pointId }) => pointId)
  const sales = await loadSalesByProducer(db, actor, period, query.operationId)
  const studies =
    actor.space === 'office' ? await loadStudyEstimates(db, actor) : await loadOwnStudyEstimates(db, actor, members)
  const energies = await loadEnergiesByProducer(db, actor, query)
  const holders = [...Map.groupBy(members, ({ participantId }) => participantId)]
  return holders
    .map(([id, own]) => {
      const plants = listDistinctPlants(own)
      const enteredAmounts = plants.flatMap(({ pointId }) => amounts.get(pointId) ?? [])
      const producerSales = sales.get(id)
      const studyEstimate =
        plants.map(({ operationId }) => studies.get(operationId)).find((one) => one !== undefined) ?? null
      const names = { id, name: own[0]?.participantName ?? '', plants }
      return {
        ...names,
        ...computePlantEconomy(enteredAmounts, producerSales, period),
        ...sumProducerEnergy(id, energies),
        ...toStudyField(studyEstimate),
        amounts: enteredAmounts,
      }
    })
    .sort((a, b) => b.produced - a.produced || (a.name < b.name ? -1 : 1))
}

/** A study covers all plants of an operation, so an owner only sees it when nobody else produces there. */
async function loadOwnStudyEstimates(db: Db, actor: Actor, own: Member[]): Promise<Map<string, StudyEstimate>> {
  const ids = [...new Set(own.map(({ operationId }) => operationId))]
  const mine = new Set(own.map(({ participantId }) => participantId))
  const others = new Set(
    (await listMembersOfOperations(db, actor.companyId, ids))
      .filter(
        ({ direction, storage, participantId }) => direction === 'production' && !storage && !mine.has(participantId),
      )
      .map(({ operationId }) => operationId),
  )
  const studies = await loadStudyEstimates(db, actor)
  return new Map([...studies].filter(([id]) => ids.includes(id) && !others.has(id)))
}

const toStudyField = (studied: StudyEstimate | null) => ({ studied })

function listDistinctPlants(members: Member[]): PlantEconomy['plants'] {
  const last = new Map(members.map((member) => [member.pointId, member]))
  return [...last.values()].map(({ pointId, prm, label, peakWatts, operationId, operationName }) => ({
    pointId,
    prm,
    label,
    peakWatts,
    operationId,
    operationName,
  }))
}

async function loadEnergiesByProducer(
  db: Db,
  actor: Actor,
  query: EconomiesQuery,
): Promise<Map<string, ProducerEnergy[]>> {
  const rows = (await loadMemberRows(db, actor, query)).filter((row) => row.direction === 'production' && !row.storage)
  return new Map(
    [...Map.groupBy(rows, ({ participantId }) => participantId)].map(([id, own]) => [
      id,
      own.map(({ total, local, pending }) => ({ produced: total, shared: local, surplus: total - local - pending })),
    ]),
  )
}

function sumProducerEnergy(id: string, energies: Map<string, ProducerEnergy[]>): ProducerEnergy {
  const sum = (name: keyof ProducerEnergy) =>
    roundWh((energies.get(id) ?? []).reduce((total, one) => total + one[name], 0))
  return { produced: sum('produced'), shared: sum('shared'), surplus: sum('surplus') }
}

const COST_KINDS = ['maintenance', 'insurance', 'grid', 'other']
const NOT_A_YEAR_MESSAGE = 'Le rendement se lit sur douze mois au moins\u00a0: choisissez une année.'
const NO_INVESTMENT_MESSAGE = 'L’investissement n’a pas été saisi.'
const NO_SALES_MESSAGE = 'Rien n’a été émis en son nom sur la période.'

/** In whole cents. The return excludes the loan: it belongs to the plant, whoever financed it. */
export function computePlantEconomy(amounts: PlantAmount[], producerSales: ProducerSales | undefined, period: Period) {
  const sumKinds = (...kinds: string[]) =>
    sumDueAmounts(
      amounts.filter(({ kind }) => kinds.includes(kind)),
      period,
    )
  const sinceStart = { from: '1900-01-01', to: period.to }
  const investments = amounts.filter(({ kind }) => kind === 'investment')
  const subsidies = amounts.filter(({ kind }) => kind === 'subsidy')
  const investment = investments.length
    ? sumDueAmounts(investments, sinceStart) - sumDueAmounts(subsidies, sinceStart)
    : null
  const [surplusIncome, costs, loan] = [sumKinds('surplus'), sumKinds(...COST_KINDS), sumKinds('loan')]
  const sales = producerSales?.net ?? null
  const gain = (sales ?? 0) + surplusIncome - costs
  const years = countWholeYears(period)
  const unsaid =
    years === 0
      ? NOT_A_YEAR_MESSAGE
      : investment === null || investment <= 0
        ? NO_INVESTMENT_MESSAGE
        : sales === null
          ? NO_SALES_MESSAGE
          : ''
  return {
    sales,
    documents: producerSales?.documents ?? 0,
    surplusIncome,
    costs,
    loan,
    result: gain - loan,
    investment,
    realised: unsaid === '' && investment ? gain / years / investment : null,
    unsaid,
  }
}

/** Whole years of the period; a partial year has seasonal effects and does not represent a year. */
function countWholeYears({ from, to }: Period): number {
  let years = 0
  while (addMonths(from, (years + 1) * 12) <= to) years += 1
  return addMonths(from, years * 12) === to ? years : 0
}

/** Cents without tax, and the number of documents behind them. */
type ProducerSales = { net: number; documents: number }

/** By producer, what was issued in its name for the period, minus credit notes. */
async function loadSalesByProducer(db: Db, actor: Actor, period: Period, operationId: string | undefined) {
  const { rows } = await db.execute<ProducerSales & { id: string }>(sql`
    select ${sellers.participantId} as id, count(*)::int as documents,
           sum(case when ${invoices.kind} = 'creditNote' then -${invoices.net} else ${invoices.net} end)::float8 as net
      from ${invoices} join ${sellers} on ${sellers.companyId} = ${invoices.companyId} and ${sellers.id} = ${invoices.sellerId}
     where ${invoices.companyId} = ${actor.companyId} and ${sellers.participantId} is not null
       and ${invoices.from} >= ${period.from} and ${invoices.from} < ${period.to} and ${invoices.kind} <> 'statement'
       and ${withinOperationLimit(actor, invoices.operationId) ?? sql`true`}
       and ${operationId ? sql`${invoices.operationId} = ${operationId}` : sql`true`}
     group by 1`)
  return new Map(rows.map(({ id, ...sold }): [string, ProducerSales] => [id, sold]))
}

type StudyEstimate = NonNullable<PlantEconomy['studied']>

/** By operation, the return expected by its project's study: income minus costs, relative to the investment. */
async function loadStudyEstimates(db: Db, actor: Actor): Promise<Map<string, StudyEstimate>> {
  const rows = await db
    .select({
      id: projects.id,
      name: projects.name,
      study: projects.study,
      costs: projects.yearlyCosts,
      operationId: projects.operationId,
    })
    .from(projects)
    .where(
      and(
        eq(projects.companyId, actor.companyId),
        isNotNull(projects.operationId),
        withinOperationLimit(actor, projects.operationId),
      ),
    )
  return new Map(
    rows.flatMap(({ id, name, study, costs, operationId }): [string, StudyEstimate][] => {
      const known = Study.pick({ investmentCents: true, incomeCents: true }).safeParse(study)
      if (!known.success || operationId === null || known.data.investmentCents <= 0) return []
      const { investmentCents, incomeCents } = known.data
      return [[operationId, { projectId: id, name, incomeCents, rate: (incomeCents - costs) / investmentCents }]]
    }),
  )
}
