import type { Study } from '@voisol/contract/projects'
import { formatCount, formatEnergy, formatMoney, formatPercent } from '../../lib/format.ts'
import { Headline } from '../../ui/stack/headline.tsx'
import { toLocalPart, toSurplusPart } from '../../ui/stack/parts.ts'
import { KpiTile } from '../../ui/tile.tsx'
import { formatYears } from './labels.ts'

/** The study in two sentences. */
export function describeStudy({ produced, allocated, selfProduction }: Study, candidates: number) {
  const share = selfProduction === null ? '' : `, soit ${formatPercent(selfProduction, 0)} de leur consommation`
  return `Les toitures produiraient ${formatEnergy(produced)} par an. ${formatEnergy(allocated)} seraient consommés sur place par ${formatCount(candidates, 'candidat')}${share}.`
}

/** Cents without their hundredths: a study does not know them. */
const formatWholeEuros = (cents: number) => formatMoney(Math.round(cents / 100) * 100).replace(',00', '')

export const StudyFigures = ({ study, candidates }: { study: Study; candidates: number }) => (
  <>
    <Headline
      label="Autoconsommation"
      figure={study.selfConsumption === null ? '—' : formatPercent(study.selfConsumption, 0)}
      sentence={describeStudy(study, candidates)}
      parts={[toLocalPart(study.allocated), toSurplusPart(study.surplus)]}
    />
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <KpiTile label="Investissement" figure={formatWholeEuros(study.investmentCents)} note="Toutes les toitures" />
      <KpiTile
        label="Recettes par an"
        figure={formatWholeEuros(study.incomeCents)}
        note="Énergie locale et surplus vendus"
      />
      <KpiTile
        label="Économies par an"
        figure={formatWholeEuros(study.savingsCents)}
        note="Pour l’ensemble des candidats"
      />
      <KpiTile
        label="Temps de retour"
        figure={study.payback === null ? 'Jamais' : formatYears(study.payback)}
        note={study.payback === null ? 'Les charges dépassent les recettes' : 'Recettes moins charges annuelles'}
      />
    </div>
  </>
)
