import type { Study } from '@voisol/contract/projects'
import { energy, money, percent, plural } from '../../lib/format.ts'
import { Headline } from '../../ui/stack/headline.tsx'
import { localPart, surplusPart } from '../../ui/stack/parts.ts'
import { Tile } from '../../ui/tile.tsx'
import { years } from './labels.ts'

/** The study in two sentences. */
export function studySentence({ produced, allocated, selfProduction }: Study, candidates: number) {
  const share = selfProduction === null ? '' : `, soit ${percent(selfProduction, 0)} de leur consommation`
  return `Les toitures produiraient ${energy(produced)} par an. ${energy(allocated)} seraient consommés sur place par ${plural(candidates, 'candidat')}${share}.`
}

/** Cents without their hundredths: a study does not know them. */
const euros = (cents: number) => money(Math.round(cents / 100) * 100).replace(',00', '')

export const StudyFigures = ({ study, candidates }: { study: Study; candidates: number }) => (
  <>
    <Headline
      label="Autoconsommation"
      figure={study.selfConsumption === null ? '—' : percent(study.selfConsumption, 0)}
      sentence={studySentence(study, candidates)}
      parts={[localPart(study.allocated), surplusPart(study.surplus)]}
    />
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Tile label="Investissement" figure={euros(study.investmentCents)} note="Toutes les toitures" />
      <Tile label="Recettes par an" figure={euros(study.incomeCents)} note="Énergie locale et surplus vendus" />
      <Tile label="Économies par an" figure={euros(study.savingsCents)} note="Pour l’ensemble des candidats" />
      <Tile
        label="Temps de retour"
        figure={study.payback === null ? 'Jamais' : years(study.payback)}
        note={study.payback === null ? 'Les charges dépassent les recettes' : 'Recettes moins charges annuelles'}
      />
    </div>
  </>
)
