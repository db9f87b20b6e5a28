import type { WhiteLabel } from '@voisol/contract/white-label'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { BUTTON_STYLE_OPTIONS, SHADOW_OPTIONS } from './appearance.tsx'
import type { BrandFormApi } from './draft.ts'
import { BrandImageField } from './picture-field.tsx'

type Props = { form: BrandFormApi; look: WhiteLabel }

export const BrandIdentitySection = ({ form }: Pick<Props, 'form'>) => (
  <Card title="Identité" description="Le nom et les coordonnées que lisent vos participants, sur chaque message.">
    <div className="grid gap-4 sm:grid-cols-2">
      <Field form={form} name="companyName" label="Nom affiché" />
      <Field form={form} name="companyEmail" label="Adresse e-mail de contact" type="email" />
      <Field form={form} name="companyPhone" label="Téléphone" type="tel" optional />
      <div className="sm:col-span-2">
        <Field form={form} name="companyAddress" label="Adresse postale" optional>
          {(control) => <Textarea {...control} rows={2} />}
        </Field>
      </div>
    </div>
  </Card>
)

export function ImageSection({ form, look, companyId }: Props & { companyId: number }) {
  const setImage = (name: 'customLogo' | 'customFavicon') => (src: string) =>
    form.setValue(name, src, { shouldDirty: true })
  return (
    <Card title="Logo et icône" description="Un dessin SVG est nettoyé de tout ce qui ne dessine pas.">
      <div className="grid gap-6">
        <BrandImageField
          kind="logo"
          label="Logo"
          hint="PNG, JPEG, WebP ou SVG. Les messages montrent un PNG ou un JPEG."
          companyId={companyId}
          src={look.customLogo}
          onChange={setImage('customLogo')}
        />
        <BrandImageField
          kind="favicon"
          label="Icône de l’onglet"
          hint="PNG, ICO ou SVG, carrée."
          companyId={companyId}
          src={look.customFavicon}
          onChange={setImage('customFavicon')}
        />
        <Field
          form={form}
          name="logoUrl"
          label="Chemin d’un logo déjà sur ce site"
          hint="Montré quand aucun logo n’est déposé ci-dessus, par exemple /product/logo.png."
          optional
        />
      </div>
    </Card>
  )
}

export const ShapeSection = ({ form }: Pick<Props, 'form'>) => (
  <Card title="Formes et police">
    <div className="grid gap-4 sm:grid-cols-2">
      <Field form={form} name="buttonStyle" label="Boutons">
        {(control) => <Select {...control} options={BUTTON_STYLE_OPTIONS} />}
      </Field>
      <Field form={form} name="cardShadow" label="Ombre des cartes">
        {(control) => <Select {...control} options={SHADOW_OPTIONS} />}
      </Field>
      <Field form={form} name="borderRadius" label="Rayon des angles" hint="En rem ou en px, par exemple 0.5rem." />
      <Field
        form={form}
        name="fontFamily"
        label="Police"
        hint={'Une police que les appareils ont déjà, comme Georgia\u00a0; Inter sinon.'}
      />
    </div>
  </Card>
)

export const BrandPortalSection = ({ form }: Pick<Props, 'form'>) => (
  <Card title="Espace client" description="Ce que vos participants lisent en arrivant, et au pied de chaque page.">
    <div className="grid gap-4">
      <Switch
        {...form.register('clientPortalEnabled')}
        label="Espace client ouvert"
        hint={
          'Fermé, il montre vos coordonnées à la place des écrans\u00a0; factures et messages continuent par e-mail.'
        }
      />
      <Field
        form={form}
        name="clientPortalCustomizations.welcome"
        label="Mot d’accueil de la page de connexion"
        optional
      >
        {(control) => <Textarea {...control} rows={2} />}
      </Field>
      <Field
        form={form}
        name="clientPortalCustomizations.footer"
        label="Mot au pied des pages de l’espace client"
        optional
      >
        {(control) => <Textarea {...control} rows={2} />}
      </Field>
    </div>
  </Card>
)
