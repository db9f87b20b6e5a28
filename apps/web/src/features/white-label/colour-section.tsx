import type { WhiteLabel } from '@voisol/contract/white-label'
import { Card } from '../../ui/card.tsx'
import { ColourInput } from '../../ui/colour-input.tsx'
import { Field } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { COLOUR_FIELDS } from './appearance.tsx'
import type { ColourName } from './contrast.ts'
import { ContrastList } from './contrast-list.tsx'
import type { BrandFormApi } from './draft.ts'

const DARK_COLOUR_FIELDS = [
  ['darkModePrimaryColor', 'Principale, mode sombre'],
  ['darkModeSecondaryColor', 'Secondaire, mode sombre'],
  ['darkModeAccentColor', 'Accent, mode sombre'],
  ['darkModeBackgroundColor', 'Fond, mode sombre'],
] as const

type Props = { form: BrandFormApi; look: WhiteLabel }
type ColourFieldNames = readonly (readonly [ColourName, string])[]

const ColourFields = ({ form, look, names }: Props & { names: ColourFieldNames }) => (
  <div className="grid gap-4 sm:grid-cols-2 2xl:grid-cols-3">
    {names.map(([name, label]) => (
      <Field key={name} form={form} name={name} label={label}>
        {(control) => <ColourInput {...control} initial={look[name]} shown={look[name]} />}
      </Field>
    ))}
  </div>
)

export const ColourSection = ({ form, look }: Props) => (
  <Card
    title="Couleurs"
    description={
      'La couleur principale habille boutons, liens, factures et messages\u00a0; les deux autres, votre page de connexion. Les couleurs des courbes restent les mêmes partout.'
    }
  >
    <div className="grid gap-5">
      <ColourFields form={form} look={look} names={COLOUR_FIELDS} />
      <Switch
        {...form.register('darkModeEnabled')}
        label="D’autres couleurs quand l’appareil est en mode sombre"
        hint={'Les pages restent claires\u00a0; le fond choisi colore la barre du navigateur.'}
      />
      {look.darkModeEnabled && <ColourFields form={form} look={look} names={DARK_COLOUR_FIELDS} />}
      <ContrastList
        look={look}
        onTake={(name, shade) => form.setValue(name, shade, { shouldDirty: true, shouldValidate: true })}
      />
    </div>
  </Card>
)
