import Download from 'lucide-react/icons/download'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Trash2 from 'lucide-react/icons/trash-2'
import { toast } from '../../lib/toast.ts'
import { Avatar } from '../avatar.tsx'
import { Badge } from '../badge.tsx'
import { Button, ButtonLink } from '../button.tsx'
import { Card } from '../card.tsx'
import { CopyButton } from '../copy-button.tsx'
import { Confirm, Dialog, DialogClose } from '../dialog.tsx'
import { EmptyState } from '../empty-state.tsx'
import { ErrorState } from '../error-state.tsx'
import { IconButton } from '../icon-button.tsx'
import { FullScreenSpinner, Skeleton } from '../loading.tsx'
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from '../menu.tsx'
import { Progress } from '../progress.tsx'

const notifyClick = (title: string) => toast({ title, description: 'Exemple de message.' })

const RowMenu = () => (
  <Menu trigger={<IconButton label="Autres actions" icon={<Ellipsis aria-hidden="true" />} />}>
    <MenuLabel>Exemple de menu</MenuLabel>
    <MenuItem icon={<Pencil aria-hidden="true" />} onSelect={() => notifyClick('Modifier')}>
      Modifier
    </MenuItem>
    <MenuLink to="/" icon={<Download aria-hidden="true" />}>
      Ouvrir l’accueil
    </MenuLink>
    <MenuSeparator />
    <MenuItem tone="danger" icon={<Trash2 aria-hidden="true" />} onSelect={() => notifyClick('Supprimer')}>
      Supprimer
    </MenuItem>
  </Menu>
)

export const ActionSamples = () => (
  <div className="grid gap-5">
    <div className="flex flex-wrap items-center gap-3">
      <Button icon={<Plus aria-hidden="true" />} onClick={() => notifyClick('Bouton principal')}>
        Créer une opération
      </Button>
      <Button
        variant="secondary"
        icon={<Download aria-hidden="true" />}
        onClick={() => notifyClick('Bouton secondaire')}
      >
        Exporter
      </Button>
      <Button variant="quiet" onClick={() => notifyClick('Bouton discret')}>
        Annuler
      </Button>
      <Button
        variant="danger"
        icon={<Trash2 aria-hidden="true" />}
        onClick={() => notifyClick('Bouton de suppression')}
      >
        Supprimer
      </Button>
      <Button loading>Enregistrer</Button>
      <Button disabled>Indisponible</Button>
      <ButtonLink to="/" variant="secondary">
        Aller à l’accueil
      </ButtonLink>
    </div>
    <div className="flex flex-wrap items-center gap-3">
      <Button size="small" variant="secondary" onClick={() => notifyClick('Petit bouton')}>
        Petit
      </Button>
      <Button size="large" onClick={() => notifyClick('Grand bouton')}>
        Grand
      </Button>
      <IconButton
        label="Actualiser"
        icon={<RotateCcw aria-hidden="true" />}
        onClick={() => notifyClick('Actualiser')}
      />
      <RowMenu />
      <CopyButton text="Exemple de texte copié" />
    </div>
    <div className="flex flex-wrap items-center gap-3">
      <Badge>Brouillon</Badge>
      <Badge tone="info">En cours</Badge>
      <Badge tone="success">Payée</Badge>
      <Badge tone="warning">En retard</Badge>
      <Badge tone="danger">Refusée</Badge>
      <span className="flex items-center gap-2">
        <Avatar firstName="Élodie" lastName="Martin" /> Élodie Martin
      </span>
      <span className="flex items-center gap-2">
        <Avatar firstName="Karim" lastName="Benali" size={40} /> Karim Benali
      </span>
    </div>
  </div>
)

export const OverlaySamples = () => (
  <div className="flex flex-wrap gap-3">
    <Dialog
      title="Exemple de fenêtre"
      description="Échap la ferme, et le curseur revient au bouton."
      trigger={<Button variant="secondary">Ouvrir une fenêtre</Button>}
      actions={
        <DialogClose>
          <Button>Fermer la fenêtre</Button>
        </DialogClose>
      }
    >
      <p className="text-body">Le contenu de la fenêtre défile s’il dépasse la hauteur de l’écran.</p>
    </Dialog>
    <Confirm
      title={'Supprimer cet exemple\u00a0?'}
      description="Cette action est définitive. Ici, elle n’a aucun effet."
      action="Supprimer l’exemple"
      onConfirm={() => toast({ title: 'Exemple supprimé', variant: 'success', duration: 2000 })}
      trigger={<Button variant="danger">Supprimer…</Button>}
    />
    <Button
      variant="secondary"
      onClick={() => toast({ title: 'Message simple', description: 'Il part après 5 secondes.' })}
    >
      Message simple
    </Button>
    <Button
      variant="secondary"
      onClick={() => toast({ title: 'Modifications enregistrées', variant: 'success', duration: 2000 })}
    >
      Message de réussite
    </Button>
    <Button
      variant="secondary"
      onClick={() =>
        toast({
          title: 'Envoi impossible',
          description: 'Vérifiez votre connexion, puis réessayez.',
          variant: 'destructive',
        })
      }
    >
      Message d’erreur
    </Button>
  </div>
)

const sampleError = Object.assign(new Error('Le serveur n’a pas répondu à temps.'), { requestId: 'exemple-4f2a' })

export const FeedbackSamples = () => (
  <div className="grid gap-5 md:grid-cols-2">
    <Card>
      <EmptyState
        title="Aucune opération"
        why="Une opération réunit les producteurs et les consommateurs d’un même quartier."
        action={<Button onClick={() => notifyClick('Créer une opération')}>Créer une opération</Button>}
      />
    </Card>
    <Card>
      <ErrorState error={sampleError} onRetry={() => notifyClick('Nouvel essai')} />
    </Card>
    <Card title="Chargement">
      <div className="grid gap-3">
        <Skeleton className="h-6 w-1/2" />
        <Skeleton />
        <Skeleton className="h-4 w-4/5" />
        <Progress label="Import des relevés (exemple)" done={0.42} />
      </div>
    </Card>
    <Card title="Attente">
      <div className="h-40 overflow-hidden [&>div]:min-h-40">
        <FullScreenSpinner label="Chargement de l’espace…" />
      </div>
    </Card>
  </div>
)
