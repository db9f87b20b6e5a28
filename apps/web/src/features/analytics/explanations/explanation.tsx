import { useQuery } from '@tanstack/react-query'
import { type EnergyExplanation, why } from '@voisol/contract/why'
import { addDays } from '@voisol/energy/calendar'
import Printer from 'lucide-react/icons/printer'
import type { ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { formatDayRange } from '../../../components/period/period-labels.ts'
import { buildConsumptionParts, buildProductionParts } from '../../../components/stack/energy-parts.ts'
import { ShareFigures } from '../../../components/stack/share-bar.tsx'
import { formatGaps } from '../../../components/suspended.tsx'
import { ALLOCATION_METHOD_LABELS } from '../../../lib/energy-labels.ts'
import { formatCount, formatEnergy, formatKwh, formatNumber, formatPercent } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'

const ExplanationSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid gap-1.5 border-t border-line pt-4 first:border-0 first:pt-0">
    <h2 className="text-lg font-semibold">{title}</h2>
    {children}
  </section>
)

const Paragraphs = ({ lines }: { lines: string[] }) =>
  lines.map((line) => (
    <p key={line} className="prose-width">
      {line}
    </p>
  ))

function FigureAnswer({ why }: { why: EnergyExplanation }) {
  const { consumed, allocated, selfProduction, produced, shared, selfConsumption } = why.totals
  const sides = [
    consumed > 0 && {
      words: `${formatEnergy(allocated)} d’énergie locale sur ${formatEnergy(consumed)} consommés`,
      rate: selfProduction,
      parts: buildConsumptionParts(why.totals),
    },
    produced > 0 && {
      words: `${formatEnergy(shared)} partagés sur ${formatEnergy(produced)} produits`,
      rate: selfConsumption,
      parts: buildProductionParts(why.totals),
    },
  ].filter((side) => side !== false)
  if (!sides.length) return <p>Aucun relevé n’est connu pour ce mois.</p>
  return sides.map(({ words, rate, parts }) => (
    <div key={words} className="grid gap-3">
      <p className="text-2xl font-semibold tracking-tight text-balance">
        {words}
        {rate !== null && `, soit ${formatPercent(rate, 0)}`}
      </p>
      <ShareFigures parts={parts} shares={false} />
    </div>
  ))
}

/** Everything a figure rests on, on one page that can be printed. */
export const ExplanationView = ({ why, voice }: { why: EnergyExplanation; voice: Voice }) => (
  <Card>
    <div className="grid gap-4 text-base leading-relaxed [&>*]:min-w-0">
      <section aria-label="Le chiffre" className="grid gap-4">
        <FigureAnswer why={why} />
        <p className="text-ink-soft">{describeRuns(why)}</p>
      </section>
      <ExplanationSection title="Les jours">
        <Paragraphs lines={[describePresence(why, voice)]} />
      </ExplanationSection>
      {why.share && (
        <ExplanationSection title="Le moment de la consommation">
          <Paragraphs lines={[describeSunlitShare(why, voice)].filter(Boolean)} />
        </ExplanationSection>
      )}
      {why.keys.length > 0 && (
        <ExplanationSection title="La clé de répartition">
          <ul className="grid gap-1">
            {why.keys.map((key) => (
              <li key={`${key.number} ${key.from}`}>{describeKeyVersion(key)}.</li>
            ))}
          </ul>
          <Paragraphs lines={describeOfferedShare(why, voice)} />
        </ExplanationSection>
      )}
      {why.readings && (
        <ExplanationSection title="Les relevés">
          <Paragraphs lines={describeReadings(why)} />
        </ExplanationSection>
      )}
      {why.share && (
        <ExplanationSection title="Les voisins">
          <Paragraphs lines={[describeNeighbours(why, voice)]} />
        </ExplanationSection>
      )}
    </div>
  </Card>
)

/** To the member themselves, or to who runs the operation. */
type Voice = 'mine' | 'theirs'
type SentenceByVoice = Record<Voice, string>
const pickSentence = (voice: Voice, words: SentenceByVoice) => words[voice]

const formatDays = ({ from, to }: { from: string; to: string }) => formatDayRange(from, addDays(to, -1))
const formatHours = (value: number) => formatCount(Math.round(value), 'heure')

function describePresence({ presence }: EnergyExplanation, voice: Voice): string {
  const subject = pickSentence(voice, {
    mine: 'Vous avez fait partie de l’opération',
    theirs: 'Ce membre a fait partie de l’opération',
  })
  if (presence.days === 0) return `${subject} aucun jour de ce mois.`
  if (presence.days === presence.of) return `${subject} chaque jour (${formatCount(presence.of, 'jour')}).`
  return `${subject} ${formatNumber(presence.days)} jours sur ${formatNumber(presence.of)}\u00a0: ${presence.spans.map(formatDays).join(', ')}.`
}

function describeSunlitShare({ share }: EnergyExplanation, voice: Voice): string {
  if (!share || share.sunlitShare === null) return ''
  const possessive = pickSentence(voice, { mine: 'votre consommation', theirs: 'sa consommation' })
  return `${formatPercent(share.sunlitShare, 0)} de ${possessive} a eu lieu pendant que l’opération produisait (${formatHours(share.hours.producing)}). Le reste vient toujours du réseau\u00a0: sans production, il n’y a rien à partager.`
}

function describeOfferedShare({ share }: EnergyExplanation, voice: Voice): string[] {
  if (!share) return []
  const { offered, used, unused, hours: spent } = share
  const offeredVerb = pickSentence(voice, { mine: 'vous a réservé', theirs: 'a réservé à ce membre' })
  const usedVerb = pickSentence(voice, { mine: 'vous avez utilisé', theirs: 'ce membre a utilisé' })
  const drawnVerb = pickSentence(voice, { mine: 'vous avez aussi pris', theirs: 'ce membre a aussi pris' })
  return [
    offered === null
      ? `La clé sert les membres par rang\u00a0: elle ne met rien de côté. Une fois ceux d’avant servis, ${usedVerb} ${formatEnergy(used)}.`
      : `La clé ${offeredVerb} ${formatEnergy(offered)}, dont ${formatEnergy(used)} ont été utilisés.${unused ? ` ${formatEnergy(unused)} étaient réservés à des moments où la consommation était plus faible.` : ''}`,
    spent.surplus > 0
      ? `Pendant ${formatHours(spent.surplus)}, l’opération produisait plus que ses membres ne consommaient\u00a0: c’est le moment où consommer davantage aurait compté.`
      : 'À aucun moment l’opération n’a produit plus que ses membres n’ont consommé.',
    spent.short > 0
      ? `Pendant ${formatHours(spent.short)} de production, ${drawnVerb} de l’électricité au réseau\u00a0: la part locale ne suffisait pas.`
      : '',
  ].filter(Boolean)
}

function describeReadings({ readings }: EnergyExplanation): string[] {
  if (!readings) return []
  const { steps, missing, estimated, corrected, gaps } = readings
  const part = (count: number) => formatPercent(count / steps)
  const sentences = [
    missing > 0 &&
      `${part(missing)} des relevés manquent (${formatGaps(gaps)})\u00a0: à ces instants, le compteur n’a pas pris part au partage.`,
    estimated > 0 && `${part(estimated)} des relevés sont des estimations.`,
    corrected > 0 && `${part(corrected)} ont été corrigés après coup.`,
  ].filter((text) => typeof text === 'string')
  return sentences.length ? sentences : ['Tous les relevés de ces jours sont mesurés.']
}

function describeNeighbours({ neighbours, totals }: EnergyExplanation, voice: Voice): string {
  if (!neighbours)
    return 'Moins de cinq consommateurs comparables ont des chiffres ce mois-ci et ont accepté d’être comparés\u00a0: le milieu n’est pas donné, pour que personne ne soit reconnu.'
  const { members, selfProduction, local } = neighbours
  const possessive = pickSentence(voice, { mine: 'la vôtre', theirs: 'celle de ce membre' })
  const own =
    totals.selfProduction === null
      ? ''
      : ` Pour comparer, ${possessive} est de ${formatPercent(totals.selfProduction, 0)}.`
  return `La moitié des ${formatNumber(members)} consommateurs comparables a une part locale de plus de ${formatPercent(selfProduction, 0)}, l’autre moitié moins\u00a0; l’énergie locale reçue au milieu du groupe est d’environ ${formatKwh(local / 1000, 0)}.${own}`
}

function describeKeyVersion(key: EnergyExplanation['keys'][number]): string {
  const label = ALLOCATION_METHOD_LABELS[key.method].label
  const share = key.share === null ? '' : `, part de ${formatPercent(key.share / 1_000_000)}`
  const rank = key.rank === null ? '' : `, rang ${key.rank}`
  return `Version ${key.number}, «\u00a0${label}\u00a0»${share}${rank}\u00a0: ${formatDays(key)}`
}

function describeRuns({ runs }: EnergyExplanation): string {
  if (!runs.length) return 'Aucun calcul ne couvre encore ce mois\u00a0: la part locale n’est pas connue.'
  const kind = runs.every(({ definitive }) => definitive)
    ? 'Ce chiffre est définitif'
    : 'Ce chiffre est provisoire\u00a0: il peut encore changer avec les relevés'
  const stale = runs.some((run) => run.stale) ? ' Des données ont changé depuis\u00a0: il sera recalculé.' : ''
  return `${kind}.${stale}`
}

export type ExplanationRequest = { operationId: string; participantId: string; month: string }

export const PrintButton = () => (
  <Button variant="secondary" icon={<Printer aria-hidden="true" />} onClick={() => window.print()}>
    Imprimer
  </Button>
)

export function ExplanationLoader({
  asked: request,
  children,
}: {
  asked: ExplanationRequest
  children: (found: EnergyExplanation) => ReactNode
}) {
  const { operationId, participantId: id, month } = request
  const { data, error, refetch } = useQuery(query(why.get, { params: { id }, query: { operationId, month } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return children(data)
}
