import type { Context } from '../../core/context.ts';
import { NotificationException } from '../../core/errors.ts';
import type { Notifications } from '../../core/ports/notify.ts';

/** The notifications of the house; throws where it has none. */
export const notificationsOf = ({ services }: Pick<Context, 'services'>): Notifications => {
  if (services.notify !== undefined) return services.notify;
  throw new NotificationException('This instance sends no notifications; run the list through `factotum serve` or the shared instance.');
};
