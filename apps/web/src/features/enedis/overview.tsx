import BookOpen from 'lucide-react/icons/book-open'
import FlaskConical from 'lucide-react/icons/flask-conical'
import Plus from 'lucide-react/icons/plus'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AddCredentialDialog } from './connections/add-dialog.tsx'
import { CredentialCard } from './connections/connection.tsx'
import { NoConnection } from './connections/none.tsx'
import { SyncSettings } from './settings/sync-settings.tsx'
import { OverviewTiles } from './standing.tsx'
import { useEnedisOverview } from './use-overview.ts'

const OverviewSkeleton = () => (
  <>
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      {['points', 'consents', 'errors', 'tasks'].map((name) => (
        <Skeleton key={name} className="h-32 w-full" />
      ))}
    </div>
    <Skeleton className="h-80 w-full" />
  </>
)

/** How the company stands with the distributor: what works, what is used up, what waits for somebody. */
export default function EnedisOverview() {
  const { data, error, refetch } = useEnedisOverview()
  const credentials = data?.credentials ?? []
  return (
    <>
      <PageHeader
        title="API Enedis"
        description="Vos connexions au distributeur et ce qu’elles rapportent."
        actions={
          <>
            <ButtonLink variant="secondary" to="/enedis-api/docs" icon={<BookOpen aria-hidden="true" />}>
              Documentation
            </ButtonLink>
            <ButtonLink variant="secondary" to="/enedis-test" icon={<FlaskConical aria-hidden="true" />}>
              Tester un appel
            </ButtonLink>
            <AddCredentialDialog
              credentials={credentials}
              trigger={
                <Button icon={<Plus aria-hidden="true" />} disabled={!data}>
                  Ajouter des identifiants
                </Button>
              }
            />
          </>
        }
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        {error && !data && <ErrorState error={error} onRetry={refetch} />}
        {!data && !error && <OverviewSkeleton />}
        {data && (
          <>
            <OverviewTiles overview={data} />
            <section className="grid gap-4 [&>*]:min-w-0">
              <h2 className="text-lg font-semibold">Connexions</h2>
              {credentials.length === 0 ? (
                <NoConnection sandbox={data.sandboxUrl !== null} />
              ) : (
                <div className={cx('grid gap-4', credentials.length > 1 && 'xl:grid-cols-2')}>
                  {credentials.map((credential) => (
                    <CredentialCard key={credential.id} credential={credential} />
                  ))}
                </div>
              )}
            </section>
            <SyncSettings />
          </>
        )}
      </div>
    </>
  )
}
