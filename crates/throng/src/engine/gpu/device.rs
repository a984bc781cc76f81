//! Which graphics processors there are, which one to take, and how to open it.

use std::sync::{Arc, Mutex};
use wgpu::{Adapter, AdapterInfo, Backends, DeviceType, Features, Limits};

/// What kind of hardware an adapter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A card of its own.
    Discrete,
    /// Part of the processor.
    Integrated,
    /// Lent by a host, or not told.
    Other,
    /// No hardware at all: a program that does what a graphics processor would. Only taken when it is named.
    Software,
}

impl Kind {
    /// In a word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Discrete => "discrete",
            Self::Integrated => "integrated",
            Self::Other => "other",
            Self::Software => "software",
        }
    }
}

/// One adapter, as `throng devices` lists it.
#[derive(Clone, Debug)]
pub struct Description {
    /// Its own name.
    pub name: String,
    /// Vulkan, Metal or Dx12.
    pub backend: String,
    /// What kind of hardware.
    pub kind: Kind,
    /// Driver and its version.
    pub driver: String,
    /// Memory of the device, bytes, where it can be told.
    pub memory: Option<u64>,
    /// The largest buffer that a shader can be given, bytes.
    pub largest_binding: u64,
    /// The largest buffer, bytes.
    pub largest_buffer: u64,
    /// Whether stages can be timed.
    pub timestamps: bool,
    /// What is missing for the engine, if anything.
    pub lacks: Option<String>,
}

/// Why there is no GPU to run on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GpuError {
    /// Nothing answers.
    #[error(
        "no GPU was found: no driver for Vulkan, Metal or DX12 answers. On Linux install the card's Vulkan driver \
         (Debian: mesa-vulkan-drivers, or NVIDIA's own); --engine cpu needs none"
    )]
    NoAdapter,
    /// Only a program that plays one.
    #[error(
        "no GPU was found, only software Vulkan ({0}), which is slower than --engine cpu; to use it all the same, \
         name it: --device {1}"
    )]
    OnlySoftware(String, String),
    /// None of that name.
    #[error("there is no GPU called \"{0}\". There are: {1}")]
    Unknown(String, String),
    /// It cannot do what the engine needs.
    #[error("{0} cannot run Throng: {1}")]
    Unfit(String, String),
    /// The driver refuses.
    #[error("{0} does not open: {1}")]
    DoesNotOpen(String, String),
    /// The scene does not fit.
    #[error("{0}")]
    TooLarge(String),
    /// No stage has this name.
    #[error("there is no stage \"{0}\". The stages are: {1}")]
    NoStage(String, String),
}

/// A device that is open. Clones share it.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    /// Name, driver, backend.
    pub(crate) info: AdapterInfo,
    /// Bytes of the device's memory, where known.
    pub(crate) memory: Option<u64>,
    /// Why the device was lost, once it is.
    trouble: Arc<Mutex<Option<String>>>,
}

fn instance() -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = Backends::VULKAN | Backends::METAL | Backends::DX12;
    // Debug builds would ask for Vulkan's validation layers, which few have.
    descriptor.flags = wgpu::InstanceFlags::empty();
    wgpu::Instance::new(descriptor)
}

fn kind(info: &AdapterInfo) -> Kind {
    match info.device_type {
        DeviceType::DiscreteGpu => Kind::Discrete,
        DeviceType::IntegratedGpu => Kind::Integrated,
        DeviceType::Cpu => Kind::Software,
        DeviceType::VirtualGpu | DeviceType::Other => Kind::Other,
    }
}

/// What the engine needs of an adapter: WebGPU's default limits.
fn lacks(adapter: &Adapter) -> Option<String> {
    let (have, need) = (adapter.limits(), Limits::default());
    let mut missing = Vec::new();
    let mut check = |what: &str, have: u64, need: u64| {
        if have < need {
            missing.push(format!("{what} {have}, needed {need}"));
        }
    };
    check(
        "storage buffers in a stage:",
        have.max_storage_buffers_per_shader_stage.into(),
        need.max_storage_buffers_per_shader_stage.into(),
    );
    check(
        "threads in a workgroup:",
        have.max_compute_invocations_per_workgroup.into(),
        need.max_compute_invocations_per_workgroup.into(),
    );
    check(
        "bytes of workgroup memory:",
        have.max_compute_workgroup_storage_size.into(),
        need.max_compute_workgroup_storage_size.into(),
    );
    (!missing.is_empty()).then(|| missing.join("; "))
}

/// The memory of a Vulkan device: its largest heap that is its own.
fn memory(adapter: &Adapter) -> Option<u64> {
    #[cfg(any(target_os = "linux", target_os = "windows"))]
    {
        // SAFETY: the adapter is alive, and only a property is read.
        #[expect(unsafe_code, reason = "wgpu has no call for the size of the device's memory")]
        unsafe {
            let hal = adapter.as_hal::<wgpu::hal::api::Vulkan>()?;
            let properties =
                hal.shared_instance().raw_instance().get_physical_device_memory_properties(hal.raw_physical_device());
            let heaps = &properties.memory_heaps[..properties.memory_heap_count as usize];
            heaps.iter().filter(|h| h.flags.as_raw() & 1 != 0).map(|h| h.size).max()
        }
    }
    #[cfg(not(any(target_os = "linux", target_os = "windows")))]
    {
        let _ = adapter;
        None
    }
}

fn describe(adapter: &Adapter) -> Description {
    let (info, limits) = (adapter.get_info(), adapter.limits());
    Description {
        name: info.name.clone(),
        backend: format!("{:?}", info.backend),
        kind: kind(&info),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        memory: memory(adapter),
        largest_binding: limits.max_storage_buffer_binding_size,
        largest_buffer: limits.max_buffer_size,
        timestamps: adapter.features().contains(Features::TIMESTAMP_QUERY),
        lacks: lacks(adapter),
    }
}

/// All adapters, real ones first.
fn all() -> Vec<Adapter> {
    let mut list = pollster::block_on(instance().enumerate_adapters(Backends::all()));
    list.sort_by_key(|a| kind(&a.get_info()));
    list
}

/// Lists what there is, the one to prefer first.
#[must_use]
pub fn devices() -> Vec<Description> {
    all().iter().map(describe).collect()
}

impl Gpu {
    /// Opens the best real GPU, or the one whose name contains `name` (in any case), be it real or not.
    ///
    /// # Errors
    /// If there is none, or it cannot run the engine.
    pub fn open(name: Option<&str>) -> Result<Self, GpuError> {
        let adapters = all();
        let names = || adapters.iter().map(|a| a.get_info().name).collect::<Vec<_>>().join(", ");
        let adapter = match name {
            Some(wanted) => adapters
                .iter()
                .find(|a| a.get_info().name.to_lowercase().contains(&wanted.to_lowercase()))
                .ok_or_else(|| match adapters.is_empty() {
                    true => GpuError::NoAdapter,
                    false => GpuError::Unknown(wanted.to_owned(), names()),
                })?,
            None => {
                let best = adapters.first().ok_or(GpuError::NoAdapter)?;
                let info = best.get_info();
                if kind(&info) == Kind::Software {
                    let word = info.name.split_whitespace().next().unwrap_or("software").to_owned();
                    return Err(GpuError::OnlySoftware(info.name, word));
                }
                best
            }
        };
        Self::from_adapter(adapter)
    }

    /// Opens an adapter.
    ///
    /// # Errors
    /// If it cannot run the engine.
    pub fn from_adapter(adapter: &Adapter) -> Result<Self, GpuError> {
        let info = adapter.get_info();
        if let Some(lacks) = lacks(adapter) {
            return Err(GpuError::Unfit(info.name, lacks));
        }
        let (device, queue) = pollster::block_on(adapter.request_device(&Self::needs(adapter)))
            .map_err(|e| GpuError::DoesNotOpen(info.name.clone(), e.to_string()))?;
        Ok(Self { memory: memory(adapter), ..Self::on(device, queue, info) })
    }

    /// What to ask an adapter for, so that the engine runs on its device: a viewer or a game that opens the device
    /// itself adds its own wishes to this.
    #[must_use]
    pub fn needs(adapter: &Adapter) -> wgpu::DeviceDescriptor<'static> {
        // The defaults, but for sizes: a hundred million agents do not fit 128 MiB.
        let have = adapter.limits();
        let limits = Limits {
            max_buffer_size: have.max_buffer_size,
            max_storage_buffer_binding_size: have.max_storage_buffer_binding_size,
            ..Limits::default()
        };
        wgpu::DeviceDescriptor {
            label: Some("throng"),
            required_features: adapter.features() & Features::TIMESTAMP_QUERY,
            required_limits: limits,
            ..wgpu::DeviceDescriptor::default()
        }
    }

    /// Uses a device and queue that somebody else opened (see [`Gpu::needs`]): a viewer, a game, a browser.
    #[must_use]
    pub fn on(device: wgpu::Device, queue: wgpu::Queue, info: AdapterInfo) -> Self {
        let trouble = Arc::new(Mutex::new(None));
        let note = Arc::clone(&trouble);
        device.set_device_lost_callback(move |_, why| {
            note.lock().expect("nobody panics while noting").get_or_insert(why);
        });
        let note = Arc::clone(&trouble);
        device.on_uncaptured_error(Arc::new(move |e: wgpu::Error| {
            note.lock().expect("nobody panics while noting").get_or_insert(e.to_string());
        }));
        Self { device, queue, info, memory: None, trouble }
    }

    /// The device, to draw with or to compute more on.
    #[must_use]
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The device's queue.
    #[must_use]
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// Name, driver, backend.
    #[must_use]
    pub fn info(&self) -> &AdapterInfo {
        &self.info
    }

    /// Notes that something went wrong; the first thing counts.
    pub(crate) fn note(&self, why: String) {
        self.trouble.lock().expect("nobody panics while noting").get_or_insert(why);
    }

    /// Whether there is no hardware behind it.
    #[must_use]
    pub fn is_software(&self) -> bool {
        kind(&self.info) == Kind::Software
    }

    /// What went wrong, if anything did.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().expect("nobody panics while noting").clone()
    }

    /// Bytes that a shader can be given in one buffer.
    pub(crate) fn largest_binding(&self) -> u64 {
        let limits = self.device.limits();
        limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
    }
}
