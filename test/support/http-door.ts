import { openService, type ServiceOptions } from '../../src/app/serve/serve.ts';
import { openHouse, openOn, type TestHouse, type TestHouseOptions } from './house.ts';

/** A house with its HTTP door open on a port of its own. */
export interface HttpDoor extends AsyncDisposable {
  readonly house: TestHouse;
  readonly url: string;
}

export interface HttpDoorOptions {
  readonly house?: TestHouseOptions;
  readonly service?: ServiceOptions;
}

/** Opens a door for one test: `await using door = await openHttpDoor();`. */
export const openHttpDoor = async ({ house: houseOptions, service: serviceOptions }: HttpDoorOptions = {}): Promise<HttpDoor> => {
  const house = openHouse({ logLevel: 'error', ...houseOptions });
  const options = { ...serviceOptions, http: { ...serviceOptions?.http, port: 0 } };
  const service = await openOn(house, () => openService(house.factotum, options));
  return {
    house,
    url: service.door('http').url,
    async [Symbol.asyncDispose]() {
      await service.close();
      await house[Symbol.asyncDispose]();
    },
  };
};
