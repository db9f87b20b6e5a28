import type { Why } from '@voisol/contract/why'
import type { ReactNode } from 'react'
import { energy, percent } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { consumptionParts, productionParts } from '../../ui/stack/parts.ts'
import { ShareFigures } from '../../ui/stack/share-bar.tsx'
import {
  keyWords,
  neighbourWords,
  offerWords,
  presenceWords,
  readingWords,
  runWords,
  sunWords,
  type Voice,
} from './words.ts'

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid gap-1.5 border-t border-line pt-4 first:border-0 first:pt-0">
    <h2 className="text-lg font-semibold">{title}</h2>
    {children}
  </section>
)

const Lines = ({ lines }: { lines: string[] }) =>
  lines.map((line) => (
    <p key={line} className="prose-width">
      {line}
    </p>
  ))

function Answer({ why }: { why: Why }) {
  const { consumed, allocated, selfProduction, produced, shared, selfConsumption } = why.totals
  const sides = [
    consumed > 0 && {
      words: `${energy(allocated)} d’énergie locale sur ${energy(consumed)} consommés`,
      rate: selfProduction,
      parts: consumptionParts(why.totals),
    },
    produced > 0 && {
      words: `${energy(shared)} partagés sur ${energy(produced)} produits`,
      rate: selfConsumption,
      parts: productionParts(why.totals),
    },
  ].filter((side) => side !== false)
  if (!sides.length) return <p>Aucun relevé n’est connu pour ce mois.</p>
  return sides.map(({ words, rate, parts }) => (
    <div key={words} className="grid gap-3">
      <p className="text-2xl font-semibold tracking-tight text-balance">
        {words}
        {rate !== null && `, soit ${percent(rate, 0)}`}
      </p>
      <ShareFigures parts={parts} shares={false} />
    </div>
  ))
}

/** Everything a figure rests on, on one page that can be printed. */
export const Story = ({ why, voice }: { why: Why; voice: Voice }) => (
  <Card>
    <div className="grid gap-4 text-base leading-relaxed [&>*]:min-w-0">
      <section aria-label="Le chiffre" className="grid gap-4">
        <Answer why={why} />
        <p className="text-ink-soft">{runWords(why)}</p>
      </section>
      <Part title="Les jours">
        <Lines lines={[presenceWords(why, voice)]} />
      </Part>
      {why.share && (
        <Part title="Le moment de la consommation">
          <Lines lines={[sunWords(why, voice)].filter(Boolean)} />
        </Part>
      )}
      {why.keys.length > 0 && (
        <Part title="La clé de répartition">
          <ul className="grid gap-1">
            {why.keys.map((key) => (
              <li key={`${key.number} ${key.from}`}>{keyWords(key)}.</li>
            ))}
          </ul>
          <Lines lines={offerWords(why, voice)} />
        </Part>
      )}
      {why.readings && (
        <Part title="Les relevés">
          <Lines lines={readingWords(why)} />
        </Part>
      )}
      {why.share && (
        <Part title="Les voisins">
          <Lines lines={[neighbourWords(why, voice)]} />
        </Part>
      )}
    </div>
  </Card>
)
