import { useQuery } from '@tanstack/react-query'
import { companies } from '@voisol/contract/companies'
import Building2 from 'lucide-react/icons/building-2'
import { withAccess } from '../../../../lib/can.tsx'
import { query } from '../../../../lib/queries.ts'
import { useSession } from '../../../../lib/session.ts'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import type { DraftForm } from '../use-draft.ts'

/** Often the organisation itself is the legal person: one press writes it. */
const OwnCompanyButton = withAccess(companies.get, ({ form }: { form: DraftForm }) => {
  const { user } = useSession()
  const companyId = user?.companyId ?? 0
  const { data } = useQuery({ ...query(companies.get, { params: { companyId } }), enabled: companyId > 0 })
  if (!data) return null
  const fillFromCompany = () => {
    form.setValue('pmoName', data.legalName || data.name, { shouldDirty: true })
    form.setValue('pmoSiren', data.siren, { shouldDirty: true })
  }
  return (
    <Button
      variant="secondary"
      icon={<Building2 aria-hidden="true" />}
      className="justify-self-start"
      onClick={fillFromCompany}
    >
      C’est {data.legalName || data.name}
    </Button>
  )
})

export const OrganiserStep = ({ form }: { form: DraftForm }) => (
  <>
    <p className="prose-width text-body text-ink-soft">
      La personne morale organisatrice réunit producteurs et consommateurs&nbsp;: association, coopérative, copropriété,
      bailleur, collectivité… Elle signe la convention avec le gestionnaire de réseau.
    </p>
    <OwnCompanyButton form={form} />
    <Field form={form} name="pmoName" label="Dénomination" optional />
    <Field
      form={form}
      name="pmoSiren"
      label="SIREN"
      hint="Neuf chiffres&nbsp;; les espaces sont acceptés."
      inputMode="numeric"
      autoComplete="off"
      optional
    />
  </>
)
