import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { toast } from '../../lib/toast.ts'
import { Button } from '../button.tsx'
import { Card } from '../card.tsx'
import { Checkbox } from '../checkbox.tsx'
import { CodeInput } from '../code-input.tsx'
import { Field } from '../field.tsx'
import { FieldFrame } from '../field-frame.tsx'
import { FormErrors } from '../form-errors.tsx'
import { Input } from '../input.tsx'
import { PasswordInput } from '../password-input.tsx'
import { RadioGroup } from '../radio-group.tsx'
import { SearchBox } from '../search-box.tsx'
import { Select } from '../select.tsx'
import { Switch } from '../switch.tsx'
import { Textarea } from '../textarea.tsx'

const roles = [
  { value: 'producteur', label: 'Producteur' },
  { value: 'consommateur', label: 'Consommateur' },
]

type Sample = { email: string; role: string; password: string; note: string }

function SampleForm() {
  const form = useForm<Sample>({
    defaultValues: { email: 'elodie.martin', role: 'producteur', password: '', note: '' },
  })
  const { setError } = form
  useEffect(() => {
    setError('email', { message: 'Saisissez une adresse complète, par exemple nom@exemple.fr' })
  }, [setError])
  const submit = form.handleSubmit(() => toast({ title: 'Formulaire complet', variant: 'success', duration: 2000 }))
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <FormErrors form={form} />
      <Field form={form} name="email" label="Adresse e-mail" type="email" autoComplete="email" />
      <Field form={form} name="role" label="Rôle dans l’opération">
        {(control) => <Select {...control} options={roles} />}
      </Field>
      <Field form={form} name="password" label="Mot de passe" hint="12 caractères au moins ; une phrase convient.">
        {(control) => <PasswordInput {...control} advice />}
      </Field>
      <Field form={form} name="note" label="Message" optional>
        {(control) => <Textarea {...control} />}
      </Field>
      <div>
        <Button type="submit">Envoyer l’exemple</Button>
      </div>
    </form>
  )
}

const LooseControls = () => (
  <div className="grid gap-5">
    <SearchBox label="Rechercher un participant" value="" onSearch={() => undefined} />
    <FieldFrame id="dev-prm" label="Point de livraison" hint="14 chiffres, espaces acceptés.">
      <Input id="dev-prm" inputMode="numeric" aria-describedby="dev-prm-hint" className="tabular" />
    </FieldFrame>
    <FieldFrame id="dev-locked" label="Champ indisponible">
      <Input id="dev-locked" disabled defaultValue="Valeur d’exemple" />
    </FieldFrame>
    <FieldFrame id="dev-code" label="Code à 6 chiffres">
      <CodeInput id="dev-code" />
    </FieldFrame>
    <RadioGroup
      label="Clé de répartition"
      defaultValue="dynamique"
      options={[
        { value: 'dynamique', label: 'Dynamique', hint: 'Au prorata des consommations de chaque pas.' },
        { value: 'statique', label: 'Statique', hint: 'Des parts fixes, décidées à l’avance.' },
      ]}
    />
    <Checkbox label="J’accepte les conditions d’utilisation" hint="Requis pour créer un compte." defaultChecked />
    <Checkbox label="Case non cochée" />
    <Switch label="Recevoir le bilan mensuel par e-mail" defaultChecked />
    <Switch label="Mode discret" />
  </div>
)

export const FormSamples = () => (
  <div className="grid items-start gap-5 lg:grid-cols-2">
    <Card title="Formulaire avec une erreur">
      <SampleForm />
    </Card>
    <Card title="Contrôles">
      <LooseControls />
    </Card>
  </div>
)
