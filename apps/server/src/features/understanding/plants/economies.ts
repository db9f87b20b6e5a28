import type { PlantAmount, PlantEconomy } from '@voisol/contract/plants'
import { addMonths } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { memberRows, membersOfOperations, type Period, requirePeriod, selectMembers } from '../energy/energy.ts'
import { listAmounts } from './amounts.ts'
import { sumDue } from './due.ts'
import { type Sold, salesOf } from './sales.ts'
import { type Studied, studiesOf } from './studies.ts'

type Query = Period & { operationId?: string | undefined }
type Member = Awaited<ReturnType<typeof selectMembers>>[number]
type Energy = { produced: number; shared: number; surplus: number }

const round = (wh: number) => Math.round(wh * 1000) / 1000

/** Every producer with its plants: what they brought and cost over the period, as issued and as entered. */
export async function economiesOf(db: Db, actor: Actor, query: Query): Promise<PlantEconomy[]> {
  const period = requirePeriod(query)
  const members = (await selectMembers(db, actor, { operationId: query.operationId })).filter(
    ({ direction, storage, startsOn, endsOn }) =>
      direction === 'production' && !storage && startsOn < period.to && (endsOn === null || endsOn > period.from),
  )
  const amounts = Map.groupBy(await listAmounts(db, actor), ({ pointId }) => pointId)
  const sales = await salesOf(db, actor, period, query.operationId)
  const studies = actor.space === 'office' ? await studiesOf(db, actor) : await ownStudies(db, actor, members)
  const energies = await energiesOf(db, actor, query)
  const holders = [...Map.groupBy(members, ({ participantId }) => participantId)]
  return holders
    .map(([id, own]) => {
      const plants = plantsOf(own)
      const entered = plants.flatMap(({ pointId }) => amounts.get(pointId) ?? [])
      const sold = sales.get(id)
      const studied = plants.map(({ operationId }) => studies.get(operationId)).find((one) => one !== undefined) ?? null
      const names = { id, name: own[0]?.participantName ?? '', plants }
      return {
        ...names,
        ...economy(entered, sold, period),
        ...sumEnergy(id, energies),
        ...withStudy(studied),
        amounts: entered,
      }
    })
    .sort((a, b) => b.produced - a.produced || (a.name < b.name ? -1 : 1))
}

/** A study is of the whole plant of an operation: its owner is told of it where nobody else produces there. */
async function ownStudies(db: Db, actor: Actor, own: Member[]): Promise<Map<string, Studied>> {
  const ids = [...new Set(own.map(({ operationId }) => operationId))]
  const mine = new Set(own.map(({ participantId }) => participantId))
  const others = new Set(
    (await membersOfOperations(db, actor.companyId, ids))
      .filter(
        ({ direction, storage, participantId }) => direction === 'production' && !storage && !mine.has(participantId),
      )
      .map(({ operationId }) => operationId),
  )
  const studies = await studiesOf(db, actor)
  return new Map([...studies].filter(([id]) => ids.includes(id) && !others.has(id)))
}

const withStudy = (studied: Studied | null) => ({ studied })

function plantsOf(members: Member[]): PlantEconomy['plants'] {
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

async function energiesOf(db: Db, actor: Actor, query: Query): Promise<Map<string, Energy[]>> {
  const rows = (await memberRows(db, actor, query)).filter((row) => row.direction === 'production' && !row.storage)
  return new Map(
    [...Map.groupBy(rows, ({ participantId }) => participantId)].map(([id, own]) => [
      id,
      own.map(({ total, local, pending }) => ({ produced: total, shared: local, surplus: total - local - pending })),
    ]),
  )
}

function sumEnergy(id: string, energies: Map<string, Energy[]>): Energy {
  const sum = (name: keyof Energy) => round((energies.get(id) ?? []).reduce((total, one) => total + one[name], 0))
  return { produced: sum('produced'), shared: sum('shared'), surplus: sum('surplus') }
}

const COSTS = ['maintenance', 'insurance', 'grid', 'other']
const LESS = 'Le rendement se lit sur douze mois au moins\u00a0: choisissez une année.'
const NO_INVESTMENT = 'L’investissement n’a pas été saisi.'
const NO_SALES = 'Rien n’a été émis en son nom sur la période.'

/** Whole cents. The return leaves the loan out: it is of the plant, whoever paid for it. */
export function economy(entered: PlantAmount[], sold: Sold | undefined, period: Period) {
  const due = (...kinds: string[]) =>
    sumDue(
      entered.filter(({ kind }) => kinds.includes(kind)),
      period,
    )
  const ever = { from: '1900-01-01', to: period.to }
  const invested = entered.filter(({ kind }) => kind === 'investment')
  const subsidies = entered.filter(({ kind }) => kind === 'subsidy')
  const investment = invested.length ? sumDue(invested, ever) - sumDue(subsidies, ever) : null
  const [surplusIncome, costs, loan] = [due('surplus'), due(...COSTS), due('loan')]
  const sales = sold?.net ?? null
  const gain = (sales ?? 0) + surplusIncome - costs
  const years = yearsOf(period)
  const unsaid =
    years === 0 ? LESS : investment === null || investment <= 0 ? NO_INVESTMENT : sales === null ? NO_SALES : ''
  return {
    sales,
    documents: sold?.documents ?? 0,
    surplusIncome,
    costs,
    loan,
    result: gain - loan,
    investment,
    realised: unsaid === '' && investment ? gain / years / investment : null,
    unsaid,
  }
}

/** Whole years of the period; a part of one has its own season and says nothing of a year. */
function yearsOf({ from, to }: Period): number {
  let years = 0
  while (addMonths(from, (years + 1) * 12) <= to) years += 1
  return addMonths(from, years * 12) === to ? years : 0
}
