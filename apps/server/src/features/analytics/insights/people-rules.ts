import { addDays, daysBetween, listDays } from '@voisol/energy/calendar'
import { detectConsentEnd, detectDataLoss } from '@voisol/energy/insights/meter-findings'
import { type RuleFinding, roundOrNull } from './finding-numbers.ts'
import { listDayHourRanges, toDailyEnergies, toHourlyMeans } from './insight-curves.ts'
import type { InsightData, InsightPoint } from './insight-data.ts'

export type EndingConsent = { participantId: string; expiresOn: string }
/** The last received day of a point, and the delay of each of its days. */
export type PointDeliveries = { pointId: string; lastDay: string; delays: number[] }
type PeopleRuleInput = {
  today: string
  endings: EndingConsent[]
  deliveries: PointDeliveries[]
  local: Map<string, number>
}

const SHOWN_DAYS = 30

const listDailyKwh = (scene: InsightData, { values }: InsightPoint) => {
  const kwh = toDailyEnergies(toHourlyMeans(values, scene.step), listDayHourRanges(scene).slice(-SHOWN_DAYS))
  return Array.from(kwh, (wh) => roundOrNull(wh / 1000))
}
const listDayLabels = (scene: InsightData) => listDays(addDays(scene.to, -SHOWN_DAYS), scene.to)

/** Local energy of these points over the last thirty days, which could not be shared without them. */
const sumLocalEnergyAtStake = (points: InsightPoint[], local: Map<string, number>) =>
  Math.round(points.reduce((sum, { id }) => sum + (local.get(id) ?? 0), 0))

function findEndingConsents(scene: InsightData, { today, endings, local }: PeopleRuleInput): RuleFinding[] {
  return endings.flatMap(({ participantId, expiresOn }): RuleFinding[] => {
    const found = detectConsentEnd(daysBetween(today, expiresOn))
    const own = scene.points.filter(({ holderId }) => holderId === participantId)
    if (!found || !own.length) return []
    return [
      {
        rule: 'consent-ends',
        subjectKind: 'participant',
        subjectId: participantId,
        startsOn: today,
        endsOn: expiresOn > today ? expiresOn : addDays(today, 1),
        wh: sumLocalEnergyAtStake(own, local),
        confidence: found.confidence,
        numbers: {
          statistic: found.statistic,
          threshold: found.threshold,
          worth: 'local',
          facts: { daysLeft: found.statistic, expiresOn },
          evidence: {
            axis: 'day',
            unit: 'kWh',
            labels: listDayLabels(scene),
            series: own
              .slice(0, 3)
              .map((point) => ({ name: 'Consommation reçue', values: listDailyKwh(scene, point) })),
          },
        },
      },
    ]
  })
}

function findLostData(scene: InsightData, { today, deliveries, local }: PeopleRuleInput): RuleFinding[] {
  return deliveries.flatMap(({ pointId, lastDay, delays }): RuleFinding[] => {
    const found = detectDataLoss(daysBetween(lastDay, today) - 1, delays)
    const point = scene.points.find(({ id }) => id === pointId)
    if (!found || !point) return []
    return [
      {
        rule: 'data-lost',
        subjectKind: 'point',
        subjectId: pointId,
        startsOn: addDays(lastDay, 1),
        endsOn: today,
        wh: sumLocalEnergyAtStake([point], local),
        confidence: found.confidence,
        numbers: {
          statistic: found.statistic,
          threshold: found.threshold,
          worth: 'local',
          facts: { silentDays: found.statistic, usual: found.threshold, deliveries: delays.length, lastDay },
          evidence: {
            axis: 'day',
            unit: 'kWh',
            labels: listDayLabels(scene),
            series: [{ name: 'Reçu', values: listDailyKwh(scene, point) }],
          },
        },
      },
    ]
  })
}

export const findPeopleInsights = (scene: InsightData, people: PeopleRuleInput): RuleFinding[] => [
  ...findEndingConsents(scene, people),
  ...findLostData(scene, people),
]
