import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import type { ContentEditorState } from './use-content.ts'

export const WebinarFields = ({ writing: { form } }: { writing: ContentEditorState }) => (
  <Card title="Séance" description="La date est nécessaire pour publier le webinaire.">
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Field form={form} name="startsAt" label="Date et heure" type="datetime-local" hint="Heure de Paris." optional />
      <Field form={form} name="minutes" label="Durée" inputMode="numeric" hint="En minutes, de 5 à 600." optional />
      <Field form={form} name="speaker" label="Intervenant" hint="Nom, et fonction s’il y a lieu." optional />
      <Field
        form={form}
        name="joinUrl"
        label="Lien de connexion"
        type="url"
        hint="Envoyé aux inscrits, jamais montré."
        optional
      />
    </div>
  </Card>
)
