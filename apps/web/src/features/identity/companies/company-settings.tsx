import {
  type Company,
  CompanyUpdate,
  companies,
  type SecondFactorRule,
  SecondFactorUpdate,
} from '@voisol/contract/companies'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card, FactList } from '../../../components/card.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Textarea } from '../../../components/input.tsx'
import { RadioGroup } from '../../../components/radio-group.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { refreshUser, useUser } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'

export function CompanyForm({ company }: { company: Company }) {
  const update = useAction(companies.update, [companies.get])
  const { name, legalName, siren, address, email, phone, version } = company
  const form = useSchemaForm(CompanyUpdate, {
    defaults: { name, legalName, siren, address, email, phone, version },
    save: async (body) => {
      await update.run({ params: { companyId: company.id }, body })
      await refreshUser()
      toast({ title: 'Organisation enregistrée', variant: 'success' })
    },
  })
  return (
    <Card
      title="Identité de l’organisation"
      description="Ces informations figurent sur les documents remis aux participants."
    >
      <form onSubmit={form.submit} noValidate className="grid max-w-2xl gap-4">
        <FormErrors form={form} />
        <Field form={form} name="name" label="Nom affiché" />
        <Field form={form} name="legalName" label="Dénomination légale" optional />
        <Field
          form={form}
          name="siren"
          label="SIREN"
          hint="Neuf chiffres&nbsp;; les espaces sont acceptés."
          inputMode="numeric"
          optional
        />
        <Field form={form} name="address" label="Adresse" optional>
          {(control) => <Textarea {...control} rows={3} />}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field form={form} name="email" label="Adresse e-mail de contact" type="email" optional />
          <Field form={form} name="phone" label="Téléphone" type="tel" optional />
        </div>
        <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
          Enregistrer l’organisation
        </Button>
      </form>
    </Card>
  )
}

const formatOptional = (value: string) => value || 'Non renseigné'

/** The identity for those who may not change it. */
export const CompanyFacts = ({ company }: { company: Company }) => (
  <Card
    title="Identité de l’organisation"
    description="Ces informations figurent sur les documents remis aux participants."
  >
    <FactList
      facts={[
        { label: 'Nom affiché', value: company.name },
        { label: 'Dénomination légale', value: formatOptional(company.legalName) },
        { label: 'SIREN', value: formatOptional(company.siren) },
        { label: 'Adresse', value: formatOptional(company.address) },
        { label: 'Adresse e-mail de contact', value: formatOptional(company.email) },
        { label: 'Téléphone', value: formatOptional(company.phone) },
      ]}
    />
  </Card>
)

const SECOND_FACTOR_RULE_LABELS: Record<SecondFactorRule, { label: string; hint: string }> = {
  optional: { label: 'Au choix de chacun', hint: 'Elle est proposée dans le profil.' },
  office: { label: 'Demandée au back-office', hint: 'À toutes les personnes qui gèrent, quel que soit leur rôle.' },
  everyone: { label: 'Demandée à tous', hint: 'Aux personnes qui gèrent et aux clients.' },
}
const RULE_OPTIONS = Object.entries(SECOND_FACTOR_RULE_LABELS).map(([value, rule]) => ({ value, ...rule }))

const title = 'Double authentification'
const description =
  'À qui elle est demandée, l’activation est proposée dès la page suivante, avant toute autre chose. Les clés d’API ne sont pas concernées.'

/** The rule for those who may not change it. */
export const SecondFactorFacts = ({ company }: { company: Company }) => (
  <Card title={title}>
    <FactList
      facts={[{ label: 'Double authentification', value: SECOND_FACTOR_RULE_LABELS[company.secondFactor].label }]}
    />
  </Card>
)

function SecondFactorRuleForm({ company }: { company: Company }) {
  const save = useAction(companies.requireSecondFactor, [companies.get])
  const form = useSchemaForm(SecondFactorUpdate, {
    defaults: { secondFactor: company.secondFactor, version: company.version },
    save: async (body) => {
      await save.run({ params: { companyId: company.id }, body })
      toast({
        title: 'Règle enregistrée',
        description: SECOND_FACTOR_RULE_LABELS[body.secondFactor].label,
        variant: 'success',
      })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid max-w-2xl gap-4">
      <FormErrors form={form} />
      <RadioGroup
        {...form.register('secondFactor')}
        label="Pour entrer dans cette organisation"
        options={RULE_OPTIONS}
      />
      <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
        Enregistrer la règle
      </Button>
    </form>
  )
}

/** Whoever asks it of others has it: the server refuses the others, and they are told before. */
export function SecondFactorForm({ company }: { company: Company }) {
  const { secondFactor } = useUser()
  return (
    <Card title={title} description={description}>
      {secondFactor ? (
        <SecondFactorRuleForm company={company} />
      ) : (
        <div className="grid justify-items-start gap-4">
          <FactList
            facts={[{ label: 'Règle actuelle', value: SECOND_FACTOR_RULE_LABELS[company.secondFactor].label }]}
          />
          <p className="text-body text-ink-soft">
            Pour la demander aux autres, activez d’abord la vôtre{'\u00a0'}: vous ne pourriez plus entrer sans elle.
          </p>
          <ButtonLink to="/settings/profile" variant="secondary">
            Activer la mienne dans mon profil
          </ButtonLink>
        </div>
      )}
    </Card>
  )
}
