import type { EnergyExplanation } from '@voisol/contract/why'
import type { ReactNode } from 'react'
import { formatEnergy, formatPercent } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { buildConsumptionParts, buildProductionParts } from '../../ui/stack/parts.ts'
import { ShareFigures } from '../../ui/stack/share-bar.tsx'
import {
  describeKeyVersion,
  describeNeighbours,
  describeOfferedShare,
  describePresence,
  describeReadings,
  describeRuns,
  describeSunlitShare,
  type Voice,
} from './words.ts'

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
