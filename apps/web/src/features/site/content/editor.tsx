import { CONTENT_CATEGORIES, type ContentRecord, content, type SiteImage } from '@voisol/contract/content'
import { useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useBlocker } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { BackLink } from './back-link.tsx'
import { BodyField } from './body-field.tsx'
import { ImageDrop, ImagePicker } from './image-picker.tsx'
import { CONTENT_KINDS, ContentStatusBadges, getCategoryLabel, PublicLink } from './labels.tsx'
import { PresentationFields } from './presentation.tsx'
import { PublishDialog, UnpublishConfirm } from './publish.tsx'
import { type ContentEditorProps, type ContentEditorState, useContentEditor } from './use-content.ts'
import { ContentVersions } from './versions.tsx'

const saveDraft = async ({ save }: Pick<ContentEditorState, 'save'>) => {
  if (await save()) toast({ title: 'Brouillon enregistré', variant: 'success' })
}

/** Ctrl+S saves wherever one is on the screen. */
function useSaveShortcut(writing: ContentEditorState) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      if (!writing.form.formState.isSubmitting) void saveDraft(writing)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  })
}

/** One content: what it says of itself, where it stands, and its text beside what readers will see. */
export function ContentEditor(props: ContentEditorProps) {
  const writing = useContentEditor(props)
  useSaveShortcut(writing)
  return (
    <>
      <BackLink />
      <ContentEditorHeader writing={writing} onSave={() => void saveDraft(writing)} />
      <form
        noValidate
        className="grid gap-6 [&>*]:min-w-0"
        onSubmit={(event) => {
          event.preventDefault()
          void saveDraft(writing)
        }}
      >
        {writing.stale && <StaleContentNotice writing={writing} />}
        <FormErrors form={writing.form} />
        <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_22rem] [&>*]:min-w-0">
          <PresentationFields writing={writing} />
          <ClassificationFields writing={writing} />
        </div>
        {writing.kind === 'webinar' && <WebinarFields writing={writing} />}
        <BodyField writing={writing} />
        {writing.kind !== 'faq' && <ImageField writing={writing} />}
      </form>
      <UnsavedChangesGuard dirty={writing.dirty} ownId={writing.ownId} />
    </>
  )
}

const WebinarFields = ({ writing: { form } }: { writing: ContentEditorState }) => (
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

/** Where readers find it, and who signs it. */
function ClassificationFields({ writing: { form, kind } }: { writing: ContentEditorState }) {
  const categoryOptions = CONTENT_CATEGORIES[kind].map((value) => ({ value, label: getCategoryLabel(value) }))
  return (
    <Card title="Classement">
      <div className="grid gap-4 sm:grid-cols-3 xl:grid-cols-1">
        <Field form={form} name="category" label="Rubrique">
          {(control) => <Select {...control} options={categoryOptions} />}
        </Field>
        <Field form={form} name="author" label="Auteur" autoComplete="off" optional />
        <Field
          form={form}
          name="position"
          label="Rang dans la rubrique"
          inputMode="numeric"
          hint="Le plus petit vient en premier."
        />
      </div>
    </Card>
  )
}

/** Somebody else saved first: nothing is overwritten, and nothing typed is lost without a word. */
function StaleContentNotice({ writing }: { writing: ContentEditorState }) {
  const [text] = useState(() => writing.form.getValues('body'))
  return (
    <section
      aria-label="Modifié entre-temps"
      className="flex flex-wrap items-center gap-3 rounded-card border border-warning/30 bg-warning-soft p-4 text-body"
    >
      <p className="min-w-60 flex-1">
        Quelqu’un a enregistré ce contenu pendant que vous l’écriviez. Gardez une copie de votre texte, puis rechargez
        pour repartir de ce qui est enregistré.
      </p>
      <CopyButton text={text} label="Copier mon texte" />
      <Confirm
        trigger={
          <Button variant="secondary" size="small">
            Recharger
          </Button>
        }
        title="Recharger ce contenu&nbsp;?"
        description="Ce que vous avez écrit ici sera remplacé par ce qui est enregistré."
        action="Recharger"
        tone="primary"
        onConfirm={writing.reload}
      />
    </section>
  )
}

type LocationRef = { pathname: string; search: string }
const getContentId = ({ search }: LocationRef) => new URLSearchParams(search).get('contenu') ?? ''
const getNewKind = ({ search }: LocationRef) => new URLSearchParams(search).get('nouveau') ?? ''
const getOpenContentKey = (place: LocationRef) => [place.pathname, getContentId(place), getNewKind(place)].join(' ')

/** Asks before anything written and not saved is left, inside the product as in the browser. */
function UnsavedChangesGuard({ dirty, ownId }: { dirty: boolean; ownId: () => string | undefined }) {
  const leaving = useRef(false)
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      dirty &&
      // What was just created gets its address; a session that ended leads to sign-in, and nothing could be saved.
      getContentId(to) !== ownId() &&
      to.pathname !== '/login' &&
      getOpenContentKey(from) !== getOpenContentKey(to),
  )
  useEffect(() => {
    if (!dirty) return
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', preventUnload)
    return () => window.removeEventListener('beforeunload', preventUnload)
  }, [dirty])
  return (
    <Confirm
      open={blocker.state === 'blocked'}
      onOpenChange={() => !leaving.current && blocker.reset?.()}
      title="Quitter sans enregistrer&nbsp;?"
      description="Ce que vous avez écrit depuis le dernier enregistrement sera perdu."
      action="Quitter sans enregistrer"
      onConfirm={() => {
        leaving.current = true
        blocker.proceed?.()
      }}
    />
  )
}

function ContentStatusLine({ writing: { kind, record, dirty } }: { writing: ContentEditorState }) {
  return (
    <div className="-mt-3 mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 text-[0.8125rem] text-ink-soft">
      <span>{CONTENT_KINDS[kind].label}</span>
      {record ? <ContentStatusBadges row={record} /> : <span>Pas encore enregistré</span>}
      {record?.status === 'scheduled' && record.publishAt && (
        <span>En ligne le {formatDateTime(record.publishAt)} (heure de Paris)</span>
      )}
      {record && (
        <span>
          Enregistré le {formatDateTime(record.updatedAt)} par {record.updatedBy}
        </span>
      )}
      {record?.status === 'published' && <PublicLink path={record.path} title={record.title} />}
      <span role="status" className="font-medium text-warning">
        {dirty && 'Modifications non enregistrées'}
      </span>
    </div>
  )
}

function ContentEditorHeader({ writing, onSave }: { writing: ContentEditorState; onSave: () => void }) {
  const { form, kind, record } = writing
  const title = useWatch({ control: form.control, name: 'title' })
  return (
    <>
      <PageHeader
        title={<span className="break-words">{title?.trim() || `${CONTENT_KINDS[kind].label} sans titre`}</span>}
        actions={
          <>
            {record && <ContentVersions writing={writing} record={record} />}
            {record && <UnpublishButton writing={writing} record={record} />}
            <Button
              variant="secondary"
              aria-keyshortcuts="Control+S"
              loading={form.formState.isSubmitting}
              onClick={onSave}
            >
              Enregistrer le brouillon
            </Button>
            <PublishDialog writing={writing} />
          </>
        }
      />
      <ContentStatusLine writing={writing} />
    </>
  )
}

/** Off the site, without touching what is being written. */
function UnpublishButton({ writing, record }: { writing: ContentEditorState; record: ContentRecord }) {
  const [asking, setAsking] = useState(false)
  const unpublish = useAction(content.unpublish, [content.list, content.versions])
  if (record.status !== 'published' && record.status !== 'scheduled') return null
  const run = async () => {
    const next = await unpublish
      .run({ params: { id: record.id }, body: { version: record.version } })
      .catch(writing.notice)
    writing.follow(next)
    toast({ title: record.status === 'published' ? 'Retiré du site' : 'Publication annulée', variant: 'success' })
  }
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        {record.status === 'published' ? 'Retirer du site' : 'Annuler la publication'}
      </Button>
      <UnpublishConfirm row={record} open={asking} onClose={() => setAsking(false)} onConfirm={run} />
    </>
  )
}

type ContentForm = ContentEditorState['form']

function SelectedImage({ form, imageId, onChange }: { form: ContentForm; imageId: string; onChange: () => void }) {
  const remove = () => {
    form.setValue('imageId', null, { shouldDirty: true })
    form.setValue('imageAlt', '', { shouldDirty: true })
  }
  return (
    <div className="grid gap-4 md:grid-cols-[20rem_minmax(0,1fr)]">
      <img
        src={`/api/site-images/${imageId}`}
        alt=""
        className="aspect-video w-full rounded-card border border-line bg-page object-contain"
      />
      <div className="grid content-start gap-4">
        <Field
          form={form}
          name="imageAlt"
          label="Ce que montre l’image"
          hint="Lu à ceux qui ne la voient pas, par exemple «&nbsp;Toit d’école couvert de panneaux&nbsp;»."
        />
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" onClick={onChange}>
            Changer d’image
          </Button>
          <Button variant="quiet" onClick={remove}>
            Sans image
          </Button>
        </div>
      </div>
    </div>
  )
}

/** The picture at the head of the page, in its list and where it is shared. */
function ImageField({ writing: { form } }: { writing: ContentEditorState }) {
  const [choosing, setChoosing] = useState(false)
  const imageId = useWatch({ control: form.control, name: 'imageId' })
  const choose = (image: SiteImage) => {
    form.setValue('imageId', image.id, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
    setChoosing(false)
  }
  return (
    <Card title="Image" description="En tête de la page, dans les listes, et quand la page est partagée.">
      {imageId ? (
        <SelectedImage form={form} imageId={imageId} onChange={() => setChoosing(true)} />
      ) : (
        <div className="grid gap-3">
          <ImageDrop onDone={choose} />
          <Button variant="secondary" className="justify-self-start" onClick={() => setChoosing(true)}>
            Choisir parmi les images du site
          </Button>
        </div>
      )}
      {choosing && <ImagePicker onChoose={choose} onClose={() => setChoosing(false)} />}
    </Card>
  )
}
