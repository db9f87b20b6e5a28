import { PERIMETERS as RULES, spread } from '@voisol/energy/perimeter'
import { useWatch } from 'react-hook-form'
import { plural, power } from '../../../lib/format.ts'
import { Findings } from '../../../ui/findings.tsx'
import { distanceText } from '../../../ui/map/geo.ts'
import type { Draft } from './draft.ts'
import { findingsOf, placesOf, powerOf } from './perimeter.ts'
import type { DraftForm } from './use-draft.ts'

const Fact = ({ label, children }: { label: string; children: string }) => (
  <div>
    <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
    <dd className="tabular font-medium">{children}</dd>
  </div>
)

/** The rules of proximity and power on what is typed so far, at every keystroke. */
export function PerimeterCheck({ form }: { form: DraftForm }) {
  const draft = useWatch({ control: form.control }) as Draft // every field has a default
  const located = placesOf(draft).filter(({ latitude }) => Number.isFinite(latitude))
  const { metres } = spread(located)
  const { watts } = powerOf(draft)
  const { km } = RULES[draft.perimeter]
  return (
    <section aria-label="Contrôle du périmètre" className="grid gap-4 rounded-card border border-line bg-page p-4">
      <h3 className="text-body font-semibold">Contrôle du périmètre</h3>
      <dl className="grid gap-4 sm:grid-cols-3">
        <Fact label="Puissance cumulée">{watts > 0 ? power(watts).replace('W', 'Wc') : 'Pas encore connue'}</Fact>
        <Fact label="Points situés">{plural(located.length, 'point')}</Fact>
        <Fact label="Plus grande distance">
          {located.length > 1
            ? `${distanceText(metres)}${km === null ? '' : ` sur ${km}\u00a0km`}`
            : 'Deux points situés au moins'}
        </Fact>
      </dl>
      <Findings findings={findingsOf(draft)} fine="Rien à redire sur la distance et la puissance saisies jusqu’ici." />
    </section>
  )
}
