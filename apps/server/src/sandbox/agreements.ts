import { type Answer, json, Refusal } from './answers.ts'
import type { Moment } from './clock.ts'
import type { DemoWorld } from './demo.ts'
import { checkUpload } from './key-upload.ts'
import type { MonthPlant } from './plant-months.ts'
import type { Resource } from './resources.ts'
import { createSettled } from './settled.ts'
import { answerQuantities, answerSeries } from './settled-answers.ts'
import { type Settlement, settlementsOf } from './settlement.ts'
import type { Store } from './store.ts'
import type { World } from './world.ts'

const MOST_UPLOADS = 50
const invalid = (message: string) => new Refusal(400, 'SGT400', message)

type Question = { query: URLSearchParams; body: string; moment: Moment; plant: MonthPlant | undefined }

/** The interface of collective self-consumption: agreements, their points, and what was settled. */
export function createAgreements(store: Store, world: World, demo?: DemoWorld) {
  const settled = createSettled(world)
  let all: Settlement[] | undefined
  const known = () => (all ??= settlementsOf(store.state.agreements, demo))

  function find(acc: string): Settlement {
    if (!/^ACC\d{8}$/.test(acc)) throw invalid('agreement_id must be ACC followed by 8 digits')
    const found = known().find((one) => one.acc === acc)
    if (!found) throw new Refusal(403, 'SGT403', 'Le client n’est pas autorisé pour la convention demandée')
    return found
  }

  function upload({ acc, seats }: Settlement, prm: string, csv: string, { ms }: Moment): Answer {
    checkUpload(seats, prm, csv)
    const one = { acc, prm, csv, at: new Date(ms).toISOString() }
    store.state.uploads = [...store.state.uploads, one].slice(-MOST_UPLOADS)
    store.save()
    return { status: 204, body: '' }
  }

  return {
    changed() {
      all = undefined
      settled.forget()
    },
    async answer({ other, values }: Resource, { query, body, moment, plant }: Question): Promise<Answer> {
      const row = ({ acc, name, startsOn, endsOn }: Settlement) => ({
        agreement_id: acc,
        name,
        start: startsOn,
        end: endsOn,
      })
      if (other === 'agreements') return json({ agreements: known().map(row) })
      const settlement = find(values.acc ?? '')
      if (other === 'series') return answerSeries(settled, settlement, { query, moment, plant })
      if (other === 'quantities') return answerQuantities(settled, settlement, values, { query, moment, plant })
      if (other === 'keys') return upload(settlement, values.prm ?? '', body, moment)
      const usage_points = settlement.seats.map(({ prm, role, startsOn, endsOn }) => ({
        usage_point_id: prm,
        role,
        start: startsOn,
        end: endsOn,
      }))
      return json({ ...row(settlement), usage_points })
    },
  }
}
export type Agreements = ReturnType<typeof createAgreements>
