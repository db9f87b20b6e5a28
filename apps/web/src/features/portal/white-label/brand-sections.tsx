import { MAX_PICTURE_BYTES, type PictureKind, type WhiteLabel, whiteLabel } from '@voisol/contract/white-label'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Field } from '../../../components/field.tsx'
import { FileDrop } from '../../../components/file-drop.tsx'
import { Select, Textarea } from '../../../components/input.tsx'
import { Switch } from '../../../components/radio-group.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { type BrandFormApi, BUTTON_STYLE_OPTIONS, SHADOW_OPTIONS } from './appearance.tsx'

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

const ACCEPTED_FILES: Record<PictureKind, string> = {
  logo: '.png,.jpg,.jpeg,.webp,.svg',
  favicon: '.png,.ico,.svg,.jpg,.jpeg,.webp',
}
type PictureFieldProps = {
  kind: PictureKind
  label: string
  hint: string
  companyId: number
  src: string
  onChange: (src: string) => void
}

/** The picture that is worn, another in its place, or none. It is worn once the form is saved. */
function BrandImageField({ kind, label, hint, companyId, src, onChange }: PictureFieldProps) {
  const add = useAction(whiteLabel.addPicture, [])
  const [refusal, setRefusal] = useState('')
  const maxSize = `${formatNumber(MAX_PICTURE_BYTES[kind] / 1000)}\u00a0ko`
  const uploadPicture = async (file: File) => {
    setRefusal('')
    if (file.size > MAX_PICTURE_BYTES[kind]) return setRefusal(`Le fichier dépasse ${maxSize}\u00a0: réduisez-le.`)
    try {
      onChange((await add.run({ params: { companyId }, query: { kind }, upload: file })).src)
    } catch (error) {
      setRefusal(explainError(error))
    }
  }
  return (
    <fieldset className="grid min-w-0 content-start gap-2">
      <legend className="mb-2 text-body font-medium">{label}</legend>
      {src && (
        <div className="flex flex-wrap items-center gap-3">
          <img
            src={src}
            alt={`${label} choisi`}
            className="h-12 max-w-48 rounded-md border border-line bg-card object-contain p-1"
          />
          <Button size="small" variant="quiet" onClick={() => onChange('')}>
            Retirer
          </Button>
        </div>
      )}
      <FileDrop
        accept={ACCEPTED_FILES[kind]}
        label={src ? 'Choisir un autre fichier' : 'Choisir un fichier'}
        hint={`${hint} ${maxSize} au plus.`}
        disabled={add.isPending}
        onFile={(file) => void uploadPicture(file)}
      />
      {refusal && (
        <p role="alert" className="text-[0.8125rem] text-danger">
          {refusal}
        </p>
      )}
    </fieldset>
  )
}
