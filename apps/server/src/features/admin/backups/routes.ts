import { backups } from '@voisol/contract/backups'
import type { FastifyInstance } from 'fastify'
import { type Actor, isPersonActor, type PersonActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { addRoute } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { requireReauthentication, requireVerifiedAddress } from '../../identity/auth/index.ts'
import {
  confirmImport,
  getActorName,
  listCompanyCopies,
  loadCompanyCopy,
  loadCopyContent,
  removeCompanyCopy,
  requestCompanyCopy,
  startImport,
} from './company-copies.ts'
import { addTrustedInstallation, listTrustedInstallations, removeTrustedInstallation } from './company-import.ts'
import { CopyFault } from './copy-format.ts'
import { saveCopySchedule } from './copy-schedule.ts'
import { getCopyContentKey, listCopies, openCopyStore, requireBackupKey } from './copy-store.ts'
import { loadInstallationCopies, previewRetention } from './installation-copies.ts'

const SUCCESS = { success: true as const }
/** Reading an archive takes a thread for minutes: a company that tries again and again waits. */
const MAX_IMPORTS = 10
const IMPORT_WINDOW_SECONDS = 3600

/** What came into a company by a program, with nobody who proved who they are, would be nobody's decision. */
function requirePersonActor(actor: Actor): PersonActor {
  if (isPersonActor(actor)) return actor
  throw new AppError('forbidden', {
    message: 'Une personne connectée doit confirmer\u00a0: une clé d’API ne le peut pas.',
  })
}

/** One at a time of each kind. */
async function requireStarted(work: () => Promise<boolean>) {
  if (!(await work()))
    throw new AppError('in-progress', { message: 'Ce travail est déjà en cours\u00a0: attendez qu’il s’achève.' })
  return SUCCESS
}

export function backupRoutes(app: FastifyInstance) {
  const { deps } = app
  const requireConfiguredKey = () => {
    try {
      requireBackupKey(deps.config)
    } catch (error) {
      throw error instanceof CopyFault ? new AppError('conflict', { message: error.message }) : error
    }
  }
  const requireCopyExists = async (name: string) => {
    const found = (await listCopies(openCopyStore(deps.config))).some(({ manifest }) => manifest.name === name)
    if (!found) throw new AppError('not-found')
  }

  addRoute(app, backups.installation, (_, { db }) => loadInstallationCopies(db, deps))
  addRoute(app, backups.preview, ({ query }) => previewRetention(deps, query))

  addRoute(app, backups.start, async (_, { db, actor }) => {
    requireConfiguredKey()
    return requireStarted(() => enqueue(db, 'copies.make', { askedBy: getActorName(actor) }, { once: 'copy' }))
  })

  addRoute(app, backups.verify, async ({ params: { name } }, { db, actor, note }) => {
    await requireCopyExists(name)
    note({ target: name })
    return requireStarted(() => enqueue(db, 'copies.verify', { askedBy: getActorName(actor), name }, { once: name }))
  })

  addRoute(app, backups.drill, async ({ params: { name } }, { db, actor, note }) => {
    requireConfiguredKey()
    await requireCopyExists(name)
    note({ target: name })
    return requireStarted(() => enqueue(db, 'copies.drill', { askedBy: getActorName(actor), name }, { once: 'drill' }))
  })

  addRoute(app, backups.content, async ({ params: { name } }) => {
    await requireCopyExists(name)
    const content = await openCopyStore(deps.config).stream(getCopyContentKey(name))
    if (!content) throw new AppError('not-found')
    return { name: `${name}.voisol`, content }
  })

  addRoute(app, backups.saveSchedule, async ({ body }, { db, note }) => {
    const { before, after } = await saveCopySchedule(db, body)
    note({ target: 'Copies de l’installation', detail: { before, after } })
    return after
  })

  addRoute(app, backups.list, (_, { db, actor }) => listCompanyCopies(db, actor))
  addRoute(app, backups.file, ({ params }, { db, actor }) => loadCopyContent(db, deps, actor, params.id))

  addRoute(app, backups.make, async (_, { db, actor, note }) => {
    const made = await requestCompanyCopy(db, actor)
    note({ target: made.name })
    return made
  })

  addRoute(app, backups.remove, async ({ params }, { db, actor, note }) => {
    note({ target: await removeCompanyCopy(db, actor, params.id) })
    return SUCCESS
  })

  addRoute(app, backups.take, async ({ query, upload }, { db, aside, actor, note }) => {
    await requireVerifiedAddress(db, actor)
    await throttle(aside, `company import ${actor.companyId}`, MAX_IMPORTS, IMPORT_WINDOW_SECONDS)
    const taken = await startImport(db, deps, actor, query.name, upload)
    note({ target: query.name, detail: { bytes: upload.byteLength } })
    return taken
  })

  addRoute(app, backups.confirm, async ({ params, body }, ctx) => {
    await requireVerifiedAddress(ctx.db, ctx.actor)
    await loadCompanyCopy(ctx.db, ctx.actor, params.id)
    await requireReauthentication({ ...ctx, actor: requirePersonActor(ctx.actor) }, body)
    const taken = await confirmImport(ctx.db, ctx.actor, params.id)
    ctx.note({ target: taken.name, detail: { signedBy: taken.preview?.signedBy ?? null } })
    return taken
  })

  addRoute(app, backups.trusted, (_, { db, secrets }) => listTrustedInstallations({ db, secrets }))

  addRoute(app, backups.trust, async ({ body: { name, publicKey, ...proof } }, ctx) => {
    await requireReauthentication({ ...ctx, actor: requirePersonActor(ctx.actor) }, proof)
    const added = await addTrustedInstallation(ctx.db, deps, { name, publicKey, addedBy: getActorName(ctx.actor) })
    ctx.note({ target: name, detail: { publicKey } })
    return added
  })

  addRoute(app, backups.distrust, async ({ params }, { db, note }) => {
    note({ target: await removeTrustedInstallation(db, params.id) })
    return SUCCESS
  })
}
