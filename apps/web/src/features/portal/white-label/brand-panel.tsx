import { useQuery } from '@tanstack/react-query'
import type { WhiteLabelRecord } from '@voisol/contract/white-label'
import { type BrandDomain, type WhiteLabel, WhiteLabelUpdate, whiteLabel } from '@voisol/contract/white-label'
import CircleCheck from 'lucide-react/icons/circle-check'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { z } from 'zod'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ColourInput } from '../../../components/colour-input.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Switch } from '../../../components/radio-group.tsx'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatDate, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { useSession } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { applyWhiteLabel } from '../../../lib/white-label.ts'
import { AppearanceFacts, type BrandFormApi, COLOUR_FIELDS } from './appearance.tsx'
import { BrandIdentitySection, BrandPortalSection, ImageSection, ShapeSection } from './brand-sections.tsx'
import { type ColourName, type ContrastVerdict, checkContrasts } from './contrast.ts'
import { BrandPreview } from './preview.tsx'

function BrandEditor({ companyId, name }: { companyId: number; name: string }) {
  const can = useCan()
  const { data, error, refetch } = useQuery(query(whiteLabel.get, { params: { companyId } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  // Before something is chosen the public answer names nobody.
  const brand = data.version === 0 ? { ...data, companyName: name } : data
  if (!can(whiteLabel.update)) return <AppearanceFacts brand={brand} />
  return (
    <div className="grid gap-6">
      <BrandForm key={data.version} brand={brand} companyId={companyId} />
      <DomainCard key={`domain ${data.version}`} brand={brand} companyId={companyId} />
    </div>
  )
}

/** The company's look: chosen, tried and kept. */
export function BrandPanel() {
  const { user } = useSession()
  return user && <BrandEditor companyId={user.companyId} name={user.companyName} />
}

type BrandRecord = z.output<typeof WhiteLabelRecord>

/** Every part of a company's look, and beside it what it becomes. */
function BrandForm({ brand, companyId }: { brand: BrandRecord; companyId: number }) {
  const update = useAction(whiteLabel.update, [whiteLabel.get])
  const { customDomain: _, ...values } = brand
  const form = useSchemaForm(WhiteLabelUpdate, {
    defaults: values,
    save: async (body) => {
      applyWhiteLabel(
        await update.run({ params: { companyId }, body: { ...pickChanged(body), version: body.version } }),
      )
      toast({ title: 'Marque enregistrée', variant: 'success' })
    },
  })
  const { dirtyFields } = form.formState
  // What was left as it is follows the defaults, and the company's own record.
  const pickChanged = <T extends object>(values: T) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => name in dirtyFields))
  const look: WhiteLabel = { ...brand, ...form.watch() }
  return (
    <form
      onSubmit={form.submit}
      noValidate
      className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]"
    >
      <div className="grid gap-6">
        <FormErrors form={form} />
        <BrandIdentitySection form={form} />
        <ColourSection form={form} look={look} />
        <ImageSection form={form} look={look} companyId={companyId} />
        <ShapeSection form={form} />
        <BrandPortalSection form={form} />
      </div>
      <Card title="Aperçu" description="Rien n’est changé avant d’enregistrer." className="xl:sticky xl:top-20">
        <div className="grid gap-5">
          <BrandPreview look={look} changed={pickChanged(look)} companyId={companyId} />
          <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
            Enregistrer la marque
          </Button>
        </div>
      </Card>
    </form>
  )
}

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

const ColourSection = ({ form, look }: Props) => (
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

type DomainCardProps = { brand: BrandRecord; companyId: number }

function DomainForm({ brand, companyId }: DomainCardProps) {
  const update = useAction(whiteLabel.update, [whiteLabel.get, whiteLabel.domain])
  const form = useSchemaForm(WhiteLabelUpdate, {
    defaults: { customDomain: brand.customDomain, version: brand.version },
    save: async (body) => {
      await update.run({ params: { companyId }, body })
      toast({ title: 'Domaine enregistré', variant: 'success' })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="flex flex-wrap items-end gap-3">
      <div className="min-w-0 flex-1 basis-64">
        <Field
          form={form}
          name="customDomain"
          label="Domaine de votre espace"
          hint="Par exemple energie.exemple.fr. Vide, il n’y en a pas."
          autoComplete="off"
          optional
        />
      </div>
      <Button type="submit" variant="secondary" loading={form.formState.isSubmitting}>
        Enregistrer le domaine
      </Button>
    </form>
  )
}

const ProveDomainButton = withAccess(whiteLabel.proveDomain, ({ companyId }: { companyId: number }) => {
  const prove = useAction(whiteLabel.proveDomain, [whiteLabel.domain])
  const run = () =>
    prove.run({ params: { companyId } }).then(
      ({ host }) => toast({ title: `${host} est prouvé`, variant: 'success' }),
      (error: unknown) => toast({ title: 'Pas encore', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button size="small" loading={prove.isPending} onClick={() => void run()}>
      Vérifier
    </Button>
  )
})

function DomainStatus({ domain: { provedAt, lapsedAt } }: { domain: BrandDomain }) {
  if (provedAt && lapsedAt) return <Badge tone="danger">Preuve disparue le {formatDate(lapsedAt)}</Badge>
  if (!provedAt) return <Badge tone="warning">{lapsedAt ? 'Preuve perdue' : 'À prouver'}</Badge>
  return <Badge tone="success">Prouvé le {formatDate(provedAt)}</Badge>
}

const isLinkDelayPending = ({ provedAt, linksFrom }: BrandDomain) =>
  provedAt !== null && linksFrom !== null && new Date(linksFrom) > new Date()

/** Whoever took over an administrator's account would send links elsewhere by a domain of theirs: there is time to see it. */
const LinkDelayNotice = ({ linksFrom }: { linksFrom: string }) => (
  <p className="text-body text-ink-soft">
    Les liens de vos messages y mèneront à partir du {formatDateTime(linksFrom)}
    {'\u00a0'}: d’ici là, ils gardent l’adresse de l’installation. Tous les administrateurs en ont été prévenus.
  </p>
)

const DnsRecord = ({ kind, name, value }: { kind: string; name: string; value: string }) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
    <p className="basis-full text-[0.8125rem] text-ink-soft">
      {kind} de <span className="font-medium break-all text-ink">{name}</span>
    </p>
    <code className="min-w-0 flex-1 basis-56 text-[0.8125rem] break-all">{value}</code>
    <CopyButton text={value} />
  </div>
)

const DnsRecords = ({ domain }: { domain: BrandDomain }) => (
  <div className="grid gap-3 rounded-card bg-page px-4 py-3">
    <p className="text-[0.8125rem] text-ink-soft">
      {domain.believedUntil &&
        `La preuve n’est plus dans le DNS\u00a0: votre marque ne s’affichera plus à cette adresse à partir du ${formatDate(domain.believedUntil)}. `}
      Chez l’hébergeur de vos noms, écrivez ces deux enregistrements, puis vérifiez{'\u00a0'}:
    </p>
    <DnsRecord kind="TXT" name={domain.recordName} value={domain.record} />
    <DnsRecord kind="CNAME" name={domain.host} value={domain.target} />
  </div>
)

/** The company's own address: chosen, proved by a record that only its owner can write, then read and written to. */
function DomainCard({ brand, companyId }: DomainCardProps) {
  const { data } = useQuery(query(whiteLabel.domain, { params: { companyId } }))
  return (
    <Card
      title="Domaine"
      description="À cette adresse, la page de connexion et l’espace client portent votre marque, et les liens de vos messages y mènent quelques jours après validation."
    >
      <div className="grid gap-4">
        <DomainForm brand={brand} companyId={companyId} />
        {data?.host && (
          <>
            <div className="flex flex-wrap items-center gap-3">
              <span className="font-medium break-all">{data.host}</span>
              <DomainStatus domain={data} />
              {(!data.provedAt || data.lapsedAt) && <ProveDomainButton companyId={companyId} />}
            </div>
            {data.linksFrom && isLinkDelayPending(data) && <LinkDelayNotice linksFrom={data.linksFrom} />}
            {(!data.provedAt || data.lapsedAt) && <DnsRecords domain={data} />}
          </>
        )}
      </div>
    </Card>
  )
}

type ContrastListProps = {
  look: Parameters<typeof checkContrasts>[0]
  onTake?: (name: ColourName, shade: string) => void
}

const ContrastRow = ({ verdict, onTake }: { verdict: ContrastVerdict; onTake: ContrastListProps['onTake'] }) => {
  const { fits, label, ratio, needed, name, shade } = verdict
  const Icon = fits ? CircleCheck : TriangleAlert
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <Icon aria-hidden="true" className={fits ? 'size-4 text-success' : 'size-4 text-warning'} />
      <span className="min-w-0 flex-1 basis-56">
        {label}
        <span className="block text-[0.8125rem] text-ink-soft">
          {formatNumber(Math.floor(ratio * 10) / 10)} pour 1, {fits ? 'lisible' : `il en faut ${formatNumber(needed)}`}
        </span>
      </span>
      {!fits && onTake && (
        <Button size="small" variant="secondary" onClick={() => onTake(name, shade)}>
          <span
            aria-hidden="true"
            className="size-4 rounded-sm border border-line-strong"
            style={{ background: shade }}
          />
          Prendre {shade}
        </Button>
      )}
    </li>
  )
}

/** How well each colour reads where it is used; where it does not, a shade of it that does, in one click. */
function ContrastList({ look, onTake }: ContrastListProps) {
  const verdicts = checkContrasts(look)
  const failingCount = verdicts.filter(({ fits }) => !fits).length
  return (
    <div className="grid gap-1 rounded-card bg-page px-4 py-3 text-body">
      <h3 className="font-medium">Lisibilité</h3>
      <p className="text-[0.8125rem] text-ink-soft" aria-live="polite">
        {failingCount === 0
          ? 'Toutes les couleurs se lisent bien là où elles servent.'
          : 'Une couleur trop proche du fond est assombrie d’elle-même sur les textes et les boutons\u00a0: prenez la nuance proposée pour que tout s’accorde.'}
      </p>
      <ul className="divide-y divide-line">
        {verdicts.map((verdict) => (
          <ContrastRow key={verdict.label} verdict={verdict} onTake={onTake} />
        ))}
      </ul>
    </div>
  )
}
