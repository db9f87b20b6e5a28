import { backups } from '@voisol/contract/backups'
import type { FastifyInstance } from 'fastify'
import { type Actor, isPerson, type Person } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { requireReauthentication, requireVerified } from '../../people/auth/auth.ts'
import {
  askForCopy,
  confirmImport,
  contentOf,
  getCompanyCopy,
  listCompanyCopies,
  nameOf,
  removeCompanyCopy,
  startImport,
} from './company-copies.ts'
import { CopyFault } from './fault.ts'
import { previewRetention, readInstallation } from './installation.ts'
import { contentKey, keyOf, listCopies, placeOf } from './place.ts'
import { saveSchedule } from './schedule.ts'
import { addTrustedInstallation, listTrustedInstallations, removeTrustedInstallation } from './trusted-installations.ts'

const DONE = { success: true as const }
/** Reading an archive takes a thread for minutes: a company that tries again and again waits. */
const MAX_IMPORTS = 10
const IMPORT_WINDOW_SECONDS = 3600

/** What came into a company by a program, with nobody who proved who they are, would be nobody's decision. */
function requirePerson(actor: Actor): Person {
  if (isPerson(actor)) return actor
  throw new AppError('forbidden', {
    message: 'Une personne connectée doit confirmer\u00a0: une clé d’API ne le peut pas.',
  })
}

/** One at a time of each kind. */
async function begin(work: () => Promise<boolean>) {
  if (!(await work()))
    throw new AppError('in-progress', { message: 'Ce travail est déjà en cours\u00a0: attendez qu’il s’achève.' })
  return DONE
}

export function backupRoutes(app: FastifyInstance) {
  const { deps } = app
  const requireKey = () => {
    try {
      keyOf(deps.config)
    } catch (error) {
      throw error instanceof CopyFault ? new AppError('conflict', { message: error.message }) : error
    }
  }
  const requireCopy = async (name: string) => {
    const found = (await listCopies(placeOf(deps.config))).some(({ manifest }) => manifest.name === name)
    if (!found) throw new AppError('not-found')
  }

  route(app, backups.installation, (_, { db }) => readInstallation(db, deps))
  route(app, backups.preview, ({ query }) => previewRetention(deps, query))

  route(app, backups.start, async (_, { db, actor }) => {
    requireKey()
    return begin(() => enqueue(db, 'copies.make', { askedBy: nameOf(actor) }, { once: 'copy' }))
  })

  route(app, backups.verify, async ({ params: { name } }, { db, actor, note }) => {
    await requireCopy(name)
    note({ target: name })
    return begin(() => enqueue(db, 'copies.verify', { askedBy: nameOf(actor), name }, { once: name }))
  })

  route(app, backups.drill, async ({ params: { name } }, { db, actor, note }) => {
    requireKey()
    await requireCopy(name)
    note({ target: name })
    return begin(() => enqueue(db, 'copies.drill', { askedBy: nameOf(actor), name }, { once: 'drill' }))
  })

  route(app, backups.content, async ({ params: { name } }) => {
    await requireCopy(name)
    const content = await placeOf(deps.config).stream(contentKey(name))
    if (!content) throw new AppError('not-found')
    return { name: `${name}.voisol`, content }
  })

  route(app, backups.saveSchedule, async ({ body }, { db, note }) => {
    const { before, after } = await saveSchedule(db, body)
    note({ target: 'Copies de l’installation', detail: { before, after } })
    return after
  })

  route(app, backups.list, (_, { db, actor }) => listCompanyCopies(db, actor))
  route(app, backups.file, ({ params }, { db, actor }) => contentOf(db, deps, actor, params.id))

  route(app, backups.make, async (_, { db, actor, note }) => {
    const made = await askForCopy(db, actor)
    note({ target: made.name })
    return made
  })

  route(app, backups.remove, async ({ params }, { db, actor, note }) => {
    note({ target: await removeCompanyCopy(db, actor, params.id) })
    return DONE
  })

  route(app, backups.take, async ({ query, upload }, { db, aside, actor, note }) => {
    await requireVerified(db, actor)
    await throttle(aside, `company import ${actor.companyId}`, MAX_IMPORTS, IMPORT_WINDOW_SECONDS)
    const taken = await startImport(db, deps, actor, query.name, upload)
    note({ target: query.name, detail: { bytes: upload.byteLength } })
    return taken
  })

  route(app, backups.confirm, async ({ params, body }, ctx) => {
    await requireVerified(ctx.db, ctx.actor)
    await getCompanyCopy(ctx.db, ctx.actor, params.id)
    await requireReauthentication({ ...ctx, actor: requirePerson(ctx.actor) }, body)
    const taken = await confirmImport(ctx.db, ctx.actor, params.id)
    ctx.note({ target: taken.name, detail: { signedBy: taken.preview?.signedBy ?? null } })
    return taken
  })

  route(app, backups.trusted, (_, { db, secrets }) => listTrustedInstallations({ db, secrets }))

  route(app, backups.trust, async ({ body: { name, publicKey, ...proof } }, ctx) => {
    await requireReauthentication({ ...ctx, actor: requirePerson(ctx.actor) }, proof)
    const added = await addTrustedInstallation(ctx.db, deps, { name, publicKey, addedBy: nameOf(ctx.actor) })
    ctx.note({ target: name, detail: { publicKey } })
    return added
  })

  route(app, backups.distrust, async ({ params }, { db, note }) => {
    note({ target: await removeTrustedInstallation(db, params.id) })
    return DONE
  })
}
