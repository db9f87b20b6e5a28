import { useQuery } from '@tanstack/react-query'
import { companies } from '@voisol/contract/companies'
import { whiteLabel } from '@voisol/contract/white-label'
import { Suspense } from 'react'
import { DetailScreen } from '../../components/detail-screen.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { lazy } from '../../components/lazy.tsx'
import { Skeleton } from '../../components/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import {
  CompanyFacts,
  CompanyForm,
  SecondFactorFacts,
  SecondFactorForm,
} from '../../features/identity/companies/company-settings.tsx'
import { AppearanceFacts, AppearanceForm } from '../../features/portal/white-label/appearance.tsx'
import { useCan } from '../../lib/can.tsx'
import { formatDate } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'

const RetentionPanel = lazy(() => import('../../features/admin/retention/panel.tsx'))

const header = (
  <PageHeader
    title="Paramètres"
    description="L’identité de votre organisation, sa sécurité, l’apparence de ses pages et la vie de ses données."
  />
)

export default function SettingsPage() {
  const can = useCan()
  const companyId = useSession().user?.companyId ?? 1
  const company = useQuery(query(companies.get, { params: { companyId } }))
  const brand = useQuery(query(whiteLabel.get, { params: { companyId } }))
  const error = company.error ?? brand.error
  if (error)
    return (
      <>
        {header}
        <ErrorState error={error} onRetry={() => Promise.all([company.refetch(), brand.refetch()])} />
      </>
    )
  if (!company.data || !brand.data)
    return (
      <>
        {header}
        <Skeleton className="h-64 w-full" />
      </>
    )
  const { data } = company
  // Before something is chosen the public answer names nobody.
  const brandSettings = brand.data.version === 0 ? { ...brand.data, companyName: data.name } : brand.data
  return (
    <DetailScreen
      header={header}
      label="Rubriques des paramètres"
      facts={[
        { label: 'Organisation', value: data.name },
        { label: 'SIREN', value: data.siren || 'Non renseigné' },
        { label: 'Créée le', value: formatDate(data.createdAt) },
        { label: 'Essai gratuit', value: data.trialEndsAt ? `jusqu’au ${formatDate(data.trialEndsAt)}` : 'Sans objet' },
      ]}
      tabs={[
        {
          value: 'organisation',
          label: 'Organisation',
          content: can(companies.update) ? (
            <CompanyForm key={data.version} company={data} />
          ) : (
            <CompanyFacts company={data} />
          ),
        },
        {
          value: 'securite',
          label: 'Sécurité',
          content: can(companies.requireSecondFactor) ? (
            <SecondFactorForm key={data.version} company={data} />
          ) : (
            <SecondFactorFacts company={data} />
          ),
        },
        {
          value: 'apparence',
          label: 'Apparence',
          content: can(whiteLabel.update) ? (
            <AppearanceForm key={brand.data.version} brand={brandSettings} companyId={companyId} />
          ) : (
            <AppearanceFacts brand={brandSettings} />
          ),
        },
        {
          value: 'vie-des-donnees',
          label: 'Vie des données',
          content: (
            <Suspense fallback={<Skeleton className="h-96 w-full" />}>
              <RetentionPanel />
            </Suspense>
          ),
        },
      ]}
    />
  )
}
