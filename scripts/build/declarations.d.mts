export declare const buildTypes: (folder: string) => Promise<void>;
