import type { WhiteLabelRecord } from '@voisol/contract/white-label'
import type { z } from 'zod'
import { Card } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { BUTTON_STYLE_OPTIONS, COLOUR_FIELDS, SHADOW_OPTIONS } from './appearance.tsx'

const getOptionLabel = (options: { value: string; label: string }[], value: string) =>
  options.find((option) => option.value === value)?.label ?? value

const ColourValue = ({ value }: { value: string }) => (
  <span className="inline-flex items-center gap-2">
    <span aria-hidden="true" className="size-4 rounded-full border border-line-strong" style={{ background: value }} />
    {value}
  </span>
)

/** The appearance for those who may not change it. */
export const AppearanceFacts = ({ brand }: { brand: z.output<typeof WhiteLabelRecord> }) => (
  <Card
    title="Couleurs et formes"
    description="Appliquées au back-office et au portail. Les couleurs des courbes restent les mêmes partout."
  >
    <FactList
      facts={[
        { label: 'Nom affiché dans le titre des pages', value: brand.companyName },
        ...COLOUR_FIELDS.map(([name, label]) => ({ label, value: <ColourValue value={brand[name]} /> })),
        { label: 'Boutons', value: getOptionLabel(BUTTON_STYLE_OPTIONS, brand.buttonStyle) },
        { label: 'Ombre des cartes', value: getOptionLabel(SHADOW_OPTIONS, brand.cardShadow) },
        { label: 'Rayon des angles', value: brand.borderRadius },
      ]}
    />
  </Card>
)
