import { addDays, daysBetween, listDays } from '@voisol/energy/calendar'
import { consentEnds, dataLost } from '@voisol/energy/insights/data-lost'
import { daily, dayHours, hourly } from './hours.ts'
import { orNull, type Raw } from './numbers.ts'
import type { Scene, ScenePoint } from './scene.ts'

export type Ending = { participantId: string; expiresOn: string }
/** The last day that came of a point, and by how many days each of its days was late. */
export type Deliveries = { pointId: string; lastDay: string; delays: number[] }
export type People = { today: string; endings: Ending[]; deliveries: Deliveries[]; local: Map<string, number> }

const SHOWN = 30

const daysOf = (scene: Scene, { values }: ScenePoint) => {
  const kwh = daily(hourly(values, scene.step), dayHours(scene).slice(-SHOWN))
  return Array.from(kwh, (wh) => orNull(wh / 1000))
}
const labels = (scene: Scene) => listDays(addDays(scene.to, -SHOWN), scene.to)

/** What of the last thirty days could not be shared without these points. */
const atStake = (points: ScenePoint[], local: Map<string, number>) =>
  Math.round(points.reduce((sum, { id }) => sum + (local.get(id) ?? 0), 0))

function endings(scene: Scene, { today, endings, local }: People): Raw[] {
  return endings.flatMap(({ participantId, expiresOn }): Raw[] => {
    const found = consentEnds(daysBetween(today, expiresOn))
    const own = scene.points.filter(({ holderId }) => holderId === participantId)
    if (!found || !own.length) return []
    return [
      {
        rule: 'consent-ends',
        subjectKind: 'participant',
        subjectId: participantId,
        startsOn: today,
        endsOn: expiresOn > today ? expiresOn : addDays(today, 1),
        wh: atStake(own, local),
        confidence: found.confidence,
        numbers: {
          statistic: found.statistic,
          threshold: found.threshold,
          worth: 'local',
          facts: { daysLeft: found.statistic, expiresOn },
          evidence: {
            axis: 'day',
            unit: 'kWh',
            labels: labels(scene),
            series: own.slice(0, 3).map((point) => ({ name: 'Consommation reçue', values: daysOf(scene, point) })),
          },
        },
      },
    ]
  })
}

function lost(scene: Scene, { today, deliveries, local }: People): Raw[] {
  return deliveries.flatMap(({ pointId, lastDay, delays }): Raw[] => {
    const found = dataLost(daysBetween(lastDay, today) - 1, delays)
    const point = scene.points.find(({ id }) => id === pointId)
    if (!found || !point) return []
    return [
      {
        rule: 'data-lost',
        subjectKind: 'point',
        subjectId: pointId,
        startsOn: addDays(lastDay, 1),
        endsOn: today,
        wh: atStake([point], local),
        confidence: found.confidence,
        numbers: {
          statistic: found.statistic,
          threshold: found.threshold,
          worth: 'local',
          facts: { silentDays: found.statistic, usual: found.threshold, deliveries: delays.length, lastDay },
          evidence: {
            axis: 'day',
            unit: 'kWh',
            labels: labels(scene),
            series: [{ name: 'Reçu', values: daysOf(scene, point) }],
          },
        },
      },
    ]
  })
}

export const peopleRules = (scene: Scene, people: People): Raw[] => [...endings(scene, people), ...lost(scene, people)]
