import { type WhiteLabelDraft, type WhiteLabelRecord, WhiteLabelUpdate, whiteLabel } from '@voisol/contract/white-label'
import type { z } from 'zod'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card, FactList } from '../../../components/card.tsx'
import { ColourInput } from '../../../components/colour-input.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { applyWhiteLabel } from '../../../lib/white-label.ts'

export const BUTTON_STYLE_OPTIONS = [
  { value: 'rounded', label: 'Arrondis' },
  { value: 'square', label: 'Carrés' },
  { value: 'pill', label: 'En pilule' },
]
export const SHADOW_OPTIONS = [
  { value: 'none', label: 'Aucune' },
  { value: 'sm', label: 'Légère' },
  { value: 'md', label: 'Moyenne' },
  { value: 'lg', label: 'Marquée' },
  { value: 'xl', label: 'Forte' },
]
export const COLOUR_FIELDS = [
  ['primaryColor', 'Couleur principale'],
  ['secondaryColor', 'Couleur secondaire'],
  ['accentColor', 'Couleur d’accent'],
] as const

export function AppearanceForm({ brand, companyId }: { brand: z.output<typeof WhiteLabelRecord>; companyId: number }) {
  const update = useAction(whiteLabel.update, [whiteLabel.get])
  const { primaryColor, secondaryColor, accentColor, borderRadius, buttonStyle, cardShadow, companyName, version } =
    brand
  const form = useSchemaForm(WhiteLabelUpdate, {
    defaults: {
      primaryColor,
      secondaryColor,
      accentColor,
      borderRadius,
      buttonStyle,
      cardShadow,
      companyName,
      version,
    },
    save: async (body) => {
      applyWhiteLabel(await update.run({ params: { companyId }, body }))
      toast({ title: 'Apparence enregistrée', variant: 'success' })
    },
  })
  return (
    <Card
      title="Couleurs et formes"
      description="Appliquées au back-office et au portail. Les couleurs des courbes restent les mêmes partout."
      actions={
        <ButtonLink to="/white-label" variant="secondary" size="small">
          Toute la marque et son aperçu
        </ButtonLink>
      }
    >
      <form onSubmit={form.submit} noValidate className="grid max-w-2xl gap-4">
        <FormErrors form={form} />
        <Field form={form} name="companyName" label="Nom affiché dans le titre des pages" />
        <div className="grid gap-4 sm:grid-cols-3">
          {COLOUR_FIELDS.map(([name, label]) => (
            <Field key={name} form={form} name={name} label={label}>
              {(control) => <ColourInput {...control} initial={brand[name]} />}
            </Field>
          ))}
        </div>
        <div className="grid gap-4 sm:grid-cols-3">
          <Field form={form} name="buttonStyle" label="Boutons">
            {(control) => <Select {...control} options={BUTTON_STYLE_OPTIONS} />}
          </Field>
          <Field form={form} name="cardShadow" label="Ombre des cartes">
            {(control) => <Select {...control} options={SHADOW_OPTIONS} />}
          </Field>
          <Field form={form} name="borderRadius" label="Rayon des angles (rem ou px)" />
        </div>
        <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
          Enregistrer l’apparence
        </Button>
      </form>
    </Card>
  )
}

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

export type BrandFormApi = ReturnType<typeof useSchemaForm<typeof WhiteLabelUpdate>>
export type BrandDraft = z.output<typeof WhiteLabelDraft>
